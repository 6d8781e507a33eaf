import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/** Nothing wrong with the page as it stands, in light and in dark. */
export async function expectNoBarriers(page: Page, rules: 'every rule' | 'wcag' = 'wcag') {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await settled(page)
    // Otherwise each look opens a page more, for frames of other origins, of which the shop has none.
    const axe = new AxeBuilder({ page }).setLegacyMode()
    const { violations } = await (rules === 'wcag' ? axe.withTags(WCAG) : axe).analyze()
    const found = violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
    )
    expect(found, `${new URL(page.url()).pathname}, ${colorScheme}`).toEqual([])
  }
}

/** The colours of the other scheme have arrived everywhere: they are handed down one frame at a time. */
async function settled(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    await frame()
    do await frame()
    while (document.getAnimations().some(animation => animation.playState === 'running'))
    await frame()
  })
}

export async function expectNoSidewaysScroll(page: Page) {
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    'wider than the window',
  ).toBe(0)
}
