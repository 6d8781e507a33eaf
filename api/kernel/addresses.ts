import ipaddr from 'ipaddr.js'

/** `203.0.113.7` or `2001:db8::/48` as a network, null when it is neither. */
export function networkIn(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  // Of the ways an IPv4 address can be written, the one with four decimal numbers alone.
  if (!text.includes(':') && !/^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(text)) return null
  try {
    return ipaddr.parseCIDR(text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`)
  } catch {
    return null
  }
}

/** Whether an address is one of those, or in one of those networks. */
export function isWithin(address: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const found = ipaddr.process(address)
  return allowed.some(text => {
    const network = networkIn(text)
    return network !== null && network[0].kind() === found.kind() && found.match(network as never)
  })
}
