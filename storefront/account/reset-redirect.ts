import { stored } from '../data/stored.ts'

/** Where somebody was going who forgot their password. It waits in the browser, because the link comes by mail. */
export const resetRedirect = stored('resetRedirect', '', raw => (typeof raw === 'string' ? raw : ''))
