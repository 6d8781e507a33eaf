/**
 * For a script that runs inline in the head. The page is painted before its programs take the processor; they run one
 * after another, so that a press between them is answered. Nothing is painted in a tab that nobody sees. `entry` comes
 * last, as an element: when it cannot be loaded, hear-early.ts is told.
 */
export const beginScript = (entry: string) => `addEventListener('DOMContentLoaded', async () => {
  const entry = ${JSON.stringify(entry)}
  await new Promise(go => document.hidden ? go() : requestAnimationFrame(() => setTimeout(go)))
  for (const { href } of document.querySelectorAll('link[rel=modulepreload]')) {
    if (href.endsWith(entry)) continue
    await import(href).catch(() => {})
    await self.scheduler?.yield?.()
  }
  document.head.append(Object.assign(document.createElement('script'), { type: 'module', src: entry }))
})`
