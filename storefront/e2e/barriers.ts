import axe, { type Result, type RunOptions } from 'axe-core'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** axe finds nothing wrong with the page as it is now, in light and in dark. */
export async function expectNoBarriers(page: Page, rules: 'every rule' | 'wcag' = 'wcag') {
  // Begins with the colours that are there: putting on others is a third of the work.
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  for (const colorScheme of isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    const violations = await violationsOn(page, rules === 'wcag' ? { runOnly: WCAG } : {})
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
    expect(found, `${new URL(page.url()).pathname}, ${colorScheme}`).toEqual([])
  }
}

/** A page that never comes to rest is judged as it is then. */
const MOST_LOOKS = 5
/** A page that is still busy by then is meant to be. */
const BUSY_MS = 5_000

/**
 * What axe finds wrong with the page once it rests. Colours read while something faded are no finding: it looks again. A
 * page keeps axe once it has it, and axe describes nothing but what is wrong: both together cost more than the rules.
 */
export async function violationsOn(page: Page, options: RunOptions = {}): Promise<Result[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source)
  for (let look = 1; ; look++) {
    const { violations, moved } = await lookOnce(page, { ...options, resultTypes: ['violations'] })
    if (violations.length === 0 || !moved || look === MOST_LOOKS) return violations
  }
}

/**
 * Waits until the colours of the other scheme are everywhere: children inherit them one frame after another. A list that
 * is being read again is faded meanwhile. Then axe looks, before anything else can begin to move.
 */
const lookOnce = (page: Page, options: RunOptions) =>
  page.evaluate(
    async ({ options, longestMs }) => {
      const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<{ violations: Result[] }> } }
      const frame = () => new Promise(requestAnimationFrame)
      const isBusy = () => document.querySelector('[aria-busy="true"]') !== null
      const begun = performance.now()
      await frame()
      do await frame()
      while (
        (isBusy() && performance.now() - begun < longestMs) ||
        document.getAnimations().some(animation => animation.playState === 'running')
      )
      await frame()

      let moved = false
      const move = () => (moved = true)
      const moves = ['transitionrun', 'animationstart'] as const
      for (const each of moves) document.addEventListener(each, move)
      const { violations } = await axe.run(options)
      // What changed meanwhile begins to move with the next frame.
      await frame()
      await frame()
      for (const each of moves) document.removeEventListener(each, move)
      return { violations, moved: moved || isBusy() }
    },
    { options, longestMs: BUSY_MS },
  )

export async function expectNoSidewaysScroll(page: Page) {
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
      message: 'wider than the window',
    })
    .toBe(0)
}

/** Every control can be seen whole, at once or by scrolling what is made to be scrolled. */
export async function expectControlsInSight(page: Page) {
  // A row that moves by itself cuts off what is coming and going.
  await expect.poll(() => cutOff(page), { message: `cut off on ${new URL(page.url()).pathname}` }).toEqual([])
}

const cutOff = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const found = []
    for (const control of document.querySelectorAll('a[href], button, input, select, textarea, summary')) {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const { left, right } = control.getBoundingClientRect()
      let [from, to, isForReadersOnly] = [0, width, false]
      for (let around: Element | null = control; around && around !== document.body; around = around.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(around)
        isForReadersOnly ||= clipPath !== 'none'
        if (around === control) continue
        if (overflowX === 'auto' || overflowX === 'scroll') [from, to] = [-Infinity, Infinity]
        if (overflowX !== 'hidden' && overflowX !== 'clip') continue
        const frame = around.getBoundingClientRect()
        ;[from, to] = [Math.max(from, frame.left), Math.min(to, frame.right)]
      }
      if (!isForReadersOnly && (left < from - 1 || right > to + 1))
        found.push(`${Math.round(left)} to ${Math.round(right)}: ${control.outerHTML.slice(0, 200)}`)
    }
    return found
  })
