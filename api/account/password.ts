import { hash, verify } from '@node-rs/argon2'

/** OWASP's setting for argon2id. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string) => hash(password, OPTIONS)

/** Verified in place of a missing account's hash, so that an unknown email takes as long as a known one. */
const nobody = hashPassword('no account has this password')

export async function passwordMatches(passwordHash: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await nobody), password)
  return matches && passwordHash !== undefined
}
