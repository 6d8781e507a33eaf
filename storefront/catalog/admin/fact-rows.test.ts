import { describe, expect, it, test } from 'vitest'
import { factsOf } from '#schema/rules/facts/product-facts'
import { correctionsInWords, FACT_ROWS } from './fact-rows.ts'
import { present } from '#schema/rules/present'

const facts = factsOf({
  name: 'Ninepin Sock in Marmalade',
  description: 'Burnt orange and a streak of moss.',
  weight: '100 g',
  length: '400 m (437 yd)',
  gauge: '30–32 sts × 42 rows = 10 cm',
  knittingNeedle: '2.5 mm, 3.5–4 mm',
  crochetHook: '2.75 mm (C-2)',
  recommendedCare: 'Machine wash cool on a wool cycle.',
  content: '75% superwash merino, 25% nylon',
  category: 'Fingering',
})
const row = (name: string) => present(FACT_ROWS.find(each => each.name === name))

describe('facts in words', () => {
  test.each(FACT_ROWS.map(({ name }) => name))('%s is read as it is told', name => {
    const words = row(name).tell(facts[name] as never)
    expect(words).not.toBe('')
    expect(row(name).read(words)).toEqual(facts[name])
  })

  test.each([
    ['grams', '50', 50],
    ['grams', '3½ oz', 99.2],
    ['metres', '230 yd', 210.3],
    ['stitches', '22', { from: 22, to: 22 }],
    ['needles', 'US 6–8', [{ from: 4, to: 5 }]],
    ['colourFamilies', 'red, Grey', ['RED', 'GREY']],
    ['grams', 'a hank', undefined],
    ['fibres', 'magic', undefined],
    ['rows', 'many', undefined],
    ['colourFamilies', 'reddish', undefined],
  ])('%s of %j are %j', (name, text, fact) => expect(row(name).read(text)).toEqual(fact))

  it('tell all corrections in one line', () => {
    expect(correctionsInWords('{}')).toBe('')
    expect(correctionsInWords('{"metres":300,"superwash":null,"colours":[{"hex":"#a3282c","family":"RED"}]}')).toBe(
      'Metres: 300 m; Superwash: nobody knows; Colours: #a3282c',
    )
  })
})
