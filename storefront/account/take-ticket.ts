const TICKET = /(?:^|; )((?:__Host-)?ticket)=([\w-]{43})/

let taken: string | null = null

/** The ticket that the shop set as a cookie when somebody came back from a provider. Deletes the cookie (decision 047). */
export function takeTicket(): string | null {
  const [, name, ticket] = TICKET.exec(document.cookie) ?? []
  if (ticket) {
    taken = ticket
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict${location.protocol === 'https:' ? '; Secure' : ''}`
  }
  // React may start rendering a component twice before it is shown: the second time the cookie is already deleted.
  return taken
}
