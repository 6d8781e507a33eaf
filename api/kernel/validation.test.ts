import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from './errors.ts'
import { check, nullAsLeftOut } from './validation.ts'

const rules = z.object({ name: z.string(), notes: z.string().nullable() })
const whole = nullAsLeftOut(rules.extend({ version: z.number().optional() }))
const patch = nullAsLeftOut(rules.partial())

describe('checked input', () => {
  it('has a rule for each field of the contract, or it does not compile', () => {
    const input: { name: string; isVegan?: boolean | null | undefined } = { name: 'Merino' }
    // @ts-expect-error No rule knows isVegan.
    expect(check(z.object({ name: z.string() }), input)).toEqual({ name: 'Merino' })
    const lines: { lines: { id: string; gift: boolean }[] } = { lines: [] }
    // @ts-expect-error No rule knows what is a gift.
    expect(check(z.object({ lines: z.array(z.object({ id: z.string() })) }), lines)).toEqual({ lines: [] })
  })

  it('knows null where the contract does, or it does not compile', () => {
    const input: { name?: string | null | undefined } = { name: null }
    // @ts-expect-error The rule knows no null.
    expect(() => check(rules.pick({ name: true }).partial(), input)).toThrow(Refusal)
    expect(check(nullAsLeftOut(rules.pick({ name: true }).partial()), input)).toEqual({})
  })

  it('tells null from left out where null means something', () => {
    expect(check(patch, { name: null, notes: null })).toEqual({ notes: null })
    expect(check(patch, {})).toEqual({})
    expect(check(whole, { name: 'Merino', notes: null, version: null })).toEqual({ name: 'Merino', notes: null })
  })

  it('refuses null for what must be there, and names it', () => {
    const given = { name: null as unknown as string, notes: null }
    expect(() => check(whole, given)).toThrow(
      expect.objectContaining({ userErrors: [expect.objectContaining({ code: 'INVALID', field: ['name'] })] }),
    )
  })
})
