import { expect, test } from 'vitest'
import { slugBehind, slugOf } from './slug.ts'

test.each([
  ['Ninepin Sock in Marmalade', 'ninepin-sock-in-marmalade'],
  ['Maud & Fenner: “Cornflower” (50 g)', 'maud-fenner-cornflower-50-g'],
  ['Knitter’s Delight', 'knitters-delight'],
  ["Knitter's Delight", 'knitters-delight'],
  ['Crème brûlée', 'creme-brulee'],
  ['Cre\u0300me', 'creme'],
  ['İstanbul', 'istanbul'],
  ['Größe Łódź Ærø þorp', 'grosse-lodz-aero-thorp'],
  ['5.5 mm – 100 cm', '5-5-mm-100-cm'],
  ['½ dozen', '1-2-dozen'],
  ['Пряжа «Лён»', 'пряжа-лён'],
  ['Йошкар', 'йошкар'],
  ['毛糸 並太', '毛糸-並太'],
  ['털실', '털실'],
  ['ऊन की लच्छी', 'ऊन-की-लच्छी'],
  ['غزل صوف', 'غزل-صوف'],
  ['ไหมพรม', 'ไหมพรม'],
  ['  --a__b//c..d?e#f  ', 'a-b-c-d-e-f'],
  ['../../etc', 'etc'],
  ['.', ''],
  ['🧶', ''],
  ['🧶 Yarn 🧶', 'yarn'],
  ['', ''],
  ['\ud83e\u202e\u0000', ''],
  ['\ud83e lone', 'lone'],
  ['word '.repeat(40), 'word-'.repeat(16).slice(0, -1)],
  ['x'.repeat(200), 'x'.repeat(80)],
  ['𠮷'.repeat(100), '𠮷'.repeat(80)],
])('%j ends an address as %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})

test('is one segment of a path that stays what it is', () => {
  for (const name of ['Ninepin Sock', 'Пряжа', '毛糸', 'غزل']) {
    const path = slugBehind(name)
    expect(new URL(path, 'http://localhost').pathname).toBe(path)
    expect(slugOf(slugOf(name))).toBe(slugOf(name))
  }
})

test('leaves an address alone when there is nothing to read', () => {
  expect(slugBehind('🧶')).toBe('')
})
