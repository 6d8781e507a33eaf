import { Problem } from '../http/problem.ts'

export interface OpenLimits {
  /** That one account may have; one address, for visitors. */
  perClient: number
  /** Of one address, no matter who asks for them. */
  perAddress: number
  /** Of this process. */
  total: number
}

/** Counts what lasts, such as streams. Returns what opens one, which throws a Problem where there are too many, and returns what closes it. */
export function limitOpen({ perClient, perAddress, total }: OpenLimits, what: string) {
  let taken = 0
  /** By client and by address. */
  const takenBy = new Map<string, number>()
  const of = (who: string) => takenBy.get(who) ?? 0

  return (client: string, address: string): (() => void) => {
    if (of(client) >= perClient)
      throw new Problem(429, 'RATE_LIMITED', `${perClient} ${what} are open already. Please close one first.`)
    if (of(address) >= perAddress)
      throw new Problem(
        429,
        'RATE_LIMITED',
        `${perAddress} ${what} from your network are open already. Please try again later.`,
      )
    if (taken >= total)
      throw new Problem(503, 'BUSY', `Too many ${what} are open at the moment. Please try again later.`)
    taken++
    for (const each of new Set([client, address])) takenBy.set(each, of(each) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      taken--
      for (const each of new Set([client, address])) {
        if (of(each) > 1) takenBy.set(each, of(each) - 1)
        else takenBy.delete(each)
      }
    }
  }
}
