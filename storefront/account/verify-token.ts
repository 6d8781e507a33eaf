import { stored } from '../data/stored.ts'

/** The token of a link to confirm an email. It waits in the browser while its owner signs in. */
export const verifyToken = stored('verifyToken', '', raw => (typeof raw === 'string' ? raw : ''))
