/** What a page runs, in the order in which it runs. As words, so that nothing is fetched before its turn. */
export const programsTag = (hrefs: string[]) => `<meta name="programs" content="${hrefs.join(' ')}">`

/**
 * For a script that runs inline in the head. Letters and the pictures in view come first, then programs are fetched, all
 * at once. They run one after another, so that a press between them is answered. Nothing is painted in a tab that nobody
 * sees, and a picture that does not come holds nothing up for long. `entry` comes last, as an element: when it cannot be
 * loaded, hear-early.ts is told.
 */
export const beginScript = (entry: string) => `document.documentElement.dataset.waiting = ''
addEventListener('DOMContentLoaded', async () => {
  const entry = ${JSON.stringify(entry)}
  const put = (tag, attributes) => document.head.append(Object.assign(document.createElement(tag), attributes))
  const isInView = image => {
    const { width, top, left } = image.getBoundingClientRect()
    return width > 0 && top < innerHeight && left < innerWidth
  }
  await new Promise(go => document.hidden ? go() : requestAnimationFrame(() => setTimeout(go)))
  const pictures = [...document.images].filter(isInView).map(image => image.decode().catch(() => {}))
  await Promise.race([Promise.all([document.fonts.ready, ...pictures]), new Promise(go => setTimeout(go, 2000))])
  const programs = document.querySelector('meta[name=programs]').content.split(' ').filter(Boolean)
  for (const href of programs) put('link', { rel: 'modulepreload', href })
  for (const href of programs) {
    if (href.endsWith(entry)) continue
    await import(href).catch(() => {})
    await self.scheduler?.yield?.()
  }
  delete document.documentElement.dataset.waiting
  put('script', { type: 'module', src: entry })
})`
