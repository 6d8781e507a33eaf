/** A stream as a test tells it, and whether anybody listens. */
export function stream<Event>() {
  const waiting: Event[] = []
  let wake = () => {}
  const source = {
    listeners: 0,
    tell(...events: Event[]) {
      waiting.push(...events)
      wake()
    },
    async *follow() {
      source.listeners++
      try {
        for (;;) {
          while (waiting.length > 0) yield waiting.shift()
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      } finally {
        source.listeners--
      }
    },
  }
  return source
}
