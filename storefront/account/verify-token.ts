import { stored } from '../data/stored.ts'

/** The token of a link that confirms an email address, kept in the browser while its owner signs in. */
export const verifyToken = stored('verifyToken', '', raw => (typeof raw === 'string' ? raw : ''))
