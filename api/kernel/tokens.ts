import { createHash, randomBytes } from 'node:crypto'

/** What of a token is stored: a reader of the database cannot use it. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** 256 bits that nobody guesses, as 43 characters that an address holds. Agents' command lines take a dash in front for a flag. */
export function newToken(): string {
  const token = randomBytes(32).toString('base64url')
  return token.startsWith('-') ? newToken() : token
}
