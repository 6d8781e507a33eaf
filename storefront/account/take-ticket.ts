const TICKET = /(?:^|; )((?:__Host-)?ticket)=([\w-]{43})/

let taken: string | null = null

/** What the shop gave this browser when somebody came back from a provider: its cookie ends (decision 047). */
export function takeTicket(): string | null {
  const [, name, ticket] = TICKET.exec(document.cookie) ?? []
  if (ticket) {
    taken = ticket
    document.cookie = `${name}=; Path=/; Max-Age=0; SameSite=Strict${location.protocol === 'https:' ? '; Secure' : ''}`
  }
  // A part of the page may begin twice before it is shown.
  return taken
}
