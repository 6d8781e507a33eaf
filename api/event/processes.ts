import { present } from '#schema/rules/present'
import type { Events, ListenerId } from './listen.ts'

/** The other processes of this shop, on one machine or many: all that answer requests on the same database. */
export interface Processes {
  /** Announces that this process answers requests from now on. */
  join(): void
  /** Whether there are any. */
  areThere(): boolean
  /** Tells all of them something on a subject: 6,000 bytes of JSON at most. */
  tell(subject: string, data: unknown): void
  /** What they tell on a subject. */
  on(subject: string, hear: (data: unknown) => void): void
  /**
   * Resolves when every process, this one too, has heard of everything committed so far, has died, or does not answer
   * in time. Each forgets `all` that is cached, or only what the message names.
   */
  heard(all: boolean): Promise<void>
  stop(): void
}

type Message =
  | { say: 'hello' | 'here' }
  | { say: 'changed'; change: number; all: boolean }
  | { say: 'heard'; of: ListenerId; change: number }
  | { say: 'tell'; subject: string; data: unknown }

/** How often a process looks who of the others is still there, and how soon while it waits for an answer. */
const LOOK_MS = 5_000
const LOOK_AGAIN_MS = 100

interface Joining {
  /** Another process changed something that no event announces. */
  onChange: () => void
  /** Another process waits until everyone has heard of what is committed by now. */
  onTold?: () => void
  /** How long `heard` waits for a process that does not answer, in milliseconds; 0 notifies nobody. */
  patienceMs: number
}

/**
 * Tracks the other processes. They talk over the channel that carries events, which PostgreSQL delivers in commit
 * order: a process that answers has heard of everything before.
 */
export function openProcesses(events: Events, { onChange, onTold = () => {}, patienceMs }: Joining): Processes {
  let hasJoined = false
  const others = new Set<ListenerId>()
  const hearers = new Map<string, (data: unknown) => void>()
  const say = (message: Message) => events.say(message)

  let changes = 0
  let waiting: { change: number; for: Set<ListenerId>; resolve: () => void } | null = null
  /** For callers that came while answers were awaited: those say nothing about what the newcomers changed. */
  let next: (PromiseWithResolvers<void> & { all: boolean }) | null = null

  function settle() {
    for (const id of waiting?.for ?? []) if (!others.has(id) && id !== events.id()) present(waiting).for.delete(id)
    if (waiting?.for.size === 0) waiting.resolve()
  }

  /** Dead processes are not waited for. */
  async function look(): Promise<void> {
    const found = await events.others().catch(() => null)
    for (const id of others) if (found && !found.includes(id)) others.delete(id)
    settle()
  }

  function answeredBy(id: ListenerId, change: number) {
    if (change === waiting?.change) waiting.for.delete(id)
    settle()
  }

  async function tellOfChange(self: ListenerId, all: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting = { change: ++changes, for: new Set([self, ...others]), resolve }
    say({ say: 'changed', change: changes, all })
    const looking = setInterval(() => void look(), LOOK_AGAIN_MS)
    const tooLong = setTimeout(() => {
      // A process that lost its connection counts again once it is heard from.
      for (const id of present(waiting).for) others.delete(id)
      resolve()
    }, patienceMs)
    settle()
    await promise
    clearInterval(looking)
    clearTimeout(tooLong)
    waiting = null
    const followers = next
    next = null
    if (followers) void tellOfChange(self, followers.all).then(followers.resolve)
  }

  const stopHearing = events.on({
    said(value, from) {
      const message = value as Message
      if (from === events.id()) {
        if (message.say === 'changed') answeredBy(from, message.change)
        return
      }
      if (!hasJoined) return
      others.add(from)
      if (message.say === 'hello') say({ say: 'here' })
      else if (message.say === 'changed') {
        onTold()
        if (message.all) onChange()
        say({ say: 'heard', of: from, change: message.change })
      } else if (message.say === 'tell') hearers.get(message.subject)?.(message.data)
      else if (message.say === 'heard' && message.of === events.id()) answeredBy(from, message.change)
    },
    missed: () => {
      if (hasJoined) say({ say: 'hello' })
    },
  })
  const timer = setInterval(() => void look(), LOOK_MS).unref()

  return {
    join() {
      hasJoined = true
      say({ say: 'hello' })
    },
    areThere: () => others.size > 0,
    tell: (subject, data) => say({ say: 'tell', subject, data }),
    on: (subject, hear) => void hearers.set(subject, hear),
    async heard(all) {
      const self = events.id()
      if (patienceMs === 0 || (all && others.size === 0)) return
      // Disconnected for the moment: nobody says which cached answers are out of date.
      if (self === null) return onChange()
      if (!waiting) return tellOfChange(self, all)
      next ??= { ...Promise.withResolvers<void>(), all }
      next.all ||= all
      return next.promise
    },
    stop() {
      clearInterval(timer)
      stopHearing()
    },
  }
}
