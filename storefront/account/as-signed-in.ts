import { isSessionExpired } from '../data/errors.ts'
import { signInAgain } from './interruption.ts'
import { currentSession } from './session.ts'

/**
 * Sends a request outside Apollo, such as an upload or a download, with the session's token. When the session has
 * ended, it waits, as saves do, until the same person is signed in again.
 */
export async function asSignedIn<T>(send: (token: string | undefined) => Promise<T>): Promise<T> {
  const token = currentSession()?.token
  try {
    return await send(token)
  } catch (error) {
    if (!token || !isSessionExpired(error) || !(await signInAgain(token))) throw error
    return send(currentSession()?.token)
  }
}
