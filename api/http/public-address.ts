import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import type { Services } from '../context.ts'

/** The shop does not send there; the message says why, to a person. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress'
}

/** Nor where no name leads, as far as anybody knows at this moment. */
export class UnknownHost extends ForbiddenAddress {}

/** Mail, remote shells, file shares and databases: a webhook on one of these ports would make the shop talk to something else. */
const FORBIDDEN_PORTS = new Set([
  '21',
  '22',
  '23',
  '25',
  '53',
  '110',
  '143',
  '389',
  '445',
  '465',
  '587',
  '993',
  '995',
  '1433',
  '2375',
  '3306',
  '3389',
  '5432',
  '6379',
  '9200',
  '11211',
  '27017',
])

/** Every address a host name has at this moment; the system's resolver answers. */
export async function addressesOf(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/**
 * The addresses a webhook's URL leads to, each of them of the public internet: the shop connects to these and resolves
 * nothing again, so that a name cannot mean something else a moment later.
 */
export async function publicAddresses(
  url: URL,
  { allowPrivate, addressesOf }: Services['webhookReach'],
): Promise<string[]> {
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw new ForbiddenAddress('The address must start with https://.')
  if (url.username || url.password) throw new ForbiddenAddress('The address must not hold a user name or password.')
  if (FORBIDDEN_PORTS.has(url.port)) throw new ForbiddenAddress(`Port ${url.port} is not one for webhooks.`)
  // URL has turned every way to write an IPv4 address, such as 0x7f.1 or 2130706433, into the usual one.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = ipaddr.isValid(host) ? [host] : await addressesOf(host).catch(() => [])
  if (addresses.length === 0) throw new UnknownHost(`The name ${host} leads nowhere.`)
  if (!allowPrivate && !addresses.every(isPublic)) throw new ForbiddenAddress(`${host} is not on the public internet.`)
  return addresses
}

/** Azure's own services, which answer machines inside its cloud alone, though the address is one of the public internet. */
const CLOUD_SERVICES = new Set(['168.63.129.16'])

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Whether anyone on the internet could reach it: not loopback, private, link-local, shared, or one wrapped in another. */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const plain = ipaddr.process(address)
  if (CLOUD_SERVICES.has(innermost(plain))) return false
  // Beyond 2000::/3 there are addresses with IPv4 ones inside that count as unicast, such as ::7f00:1.
  return plain.range() === 'unicast' && (plain.kind() === 'ipv4' || plain.match(GLOBAL_IPV6))
}

/** The address, or the IPv4 one that ISATAP wraps in the second half of an IPv6 one. */
function innermost(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  if (!('parts' in address)) return address.toString()
  const [flags, isatap, ...inner] = address.parts.slice(4) as [number, number, number, number]
  const isWrapped = isatap === 0x5efe && (flags === 0 || flags === 0x200)
  return isWrapped ? inner.flatMap(part => [part >> 8, part & 255]).join('.') : address.toString()
}
