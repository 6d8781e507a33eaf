import { createHash, randomBytes } from 'node:crypto'

/** What of a token is stored: a reader of the database cannot use it. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Nobody guesses it. */
export const newToken = () => randomBytes(32).toString('base64url')
