/** The scripts of a page, in the order in which they run. As text, so that the browser does not fetch them too early. */
export const programsTag = (hrefs: string[]) => `<meta name="programs" content="${hrefs.join(' ')}">`

/**
 * For a script that runs inline in the head. Fonts and the pictures in view come first, then all scripts are fetched at
 * once. They run one after another, so that a press between them is handled. A hidden tab paints nothing, so it does not
 * wait for a frame, and fonts and pictures delay the scripts by two seconds at most. `entry` comes last, as an element:
 * its error event tells hear-early.ts when it cannot be loaded.
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
