import { stored } from '../data/stored.ts'

/** The page that somebody wanted when they had forgotten their password. Kept in the browser, because the link comes by email. */
export const resetRedirect = stored('resetRedirect', '', raw => (typeof raw === 'string' ? raw : ''))
