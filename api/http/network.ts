import { isIPv4 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Whose address it is, as far as that can be known: with IPv6 everyone has a whole network of 64 bits. */
export function networkOf(address: string): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4'
    ? parsed.toString()
    : ipaddr.fromByteArray([...parsed.toByteArray().slice(0, 8), 0, 0, 0, 0, 0, 0, 0, 0]).toString()
}

/** Whether a connection from an address comes from a proxy: anyone where the proxies are counted, else those listed. */
export function proxiesAt(trusted: string | number | undefined): (address: string) => boolean {
  if (typeof trusted !== 'string') return () => trusted !== undefined && trusted > 0
  const ranges = trusted
    .split(',')
    .map(each => each.trim())
    .map(each =>
      each.includes('/') ? ipaddr.parseCIDR(each) : ipaddr.parseCIDR(`${each}/${each.includes(':') ? 128 : 32}`),
    )
  return address => {
    if (!ipaddr.isValid(address)) return false
    const found = ipaddr.process(address)
    return ranges.some(range => range[0].kind() === found.kind() && found.match(range as never))
  }
}
