import { globSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { asWritten, guards, source } from './guard-list.ts'
import { nth } from '#schema/rules/present'

// `npm run guards` finds which test notices a missing guard. This test only checks that the list still fits the sources.

it('has every decorator that asks who may', () => {
  const written = globSync('api/**/*.ts', { exclude: ['api/testing/**'] }).flatMap(file => [
    ...source(file).matchAll(/^ *@Authorized\(/gm),
  ])
  expect(written.length).toBeGreaterThan(40)
  expect(
    guards().filter(({ find, replace }) => find.includes('@Authorized') && !replace.includes('@Authorized')),
  ).toHaveLength(written.length)
})

test.each(
  guards().map(({ file, find, replace, tests }) => [file, find.trim(), { file, find, replace, tests }] as const),
)('%s: %s', (_file, _find, guard) => {
  expect(source(guard.file).match(asWritten(guard))).toHaveLength(1)
  expect(guard.replace).not.toBe(guard.find)
  for (const each of guard.tests) expect(source(nth(each.split(':'), 0))).toContain('vitest')
})
