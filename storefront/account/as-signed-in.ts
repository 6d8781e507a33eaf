import { isSessionExpired } from '../data/errors.ts'
import { signInAgain } from './interruption.ts'
import { currentSession } from './session.ts'

/**
 * Sends what does not go through Apollo, an upload or a download, as whoever is signed in. When their session has ended
 * it waits, as saves do, until the same person is back, and is then sent again.
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
