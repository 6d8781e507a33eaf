/** A stream whose events the test sends, with the number of its listeners. */
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
