import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { ask, auditOf, REFUSED } from '../testing/admin.ts'
import { ANNOUNCEMENT } from './announcement.entity.ts'
import { makeUser, openShop, type Account, type TestShop } from '../testing/shop.ts'

let shop: TestShop
let admin: Account
beforeAll(async () => {
  shop = await openShop()
  admin = await makeUser(shop.em(), { isAdmin: true })
})
afterAll(() => shop?.close())

const FIELDS = 'text link startsAt endsAt version'
interface Said {
  text: string
  link?: string | null
  startsAt?: string | null
  endsAt?: string | null
}

const kept = async () => (await ask(shop, admin, `{ adminAnnouncement { ${FIELDS} } }`)).adminAnnouncement
const write = async (input: Said & { version: number }) =>
  (
    await ask(
      shop,
      admin,
      `mutation($input: AnnouncementInput!) { updateAnnouncement(input: $input) { announcement { ${FIELDS} } ${REFUSED} } }`,
      { input },
    )
  ).updateAnnouncement
const say = async (said: Said) => write({ ...said, version: (await kept()).version })
const shown = async () => (await shop.gql('{ shop { announcement { text link } } }')).data.shop.announcement
const inHours = (hours: number | null) =>
  hours === null ? null : new Date(Date.now() + hours * 3_600_000).toISOString()

describe('an announcement', () => {
  it('is nothing until the owner has something to say, and nothing again once it is empty', async () => {
    expect(await shown()).toBeNull()
    expect((await say({ text: '  We are\n on holiday ', link: '/about' })).userErrors).toEqual([])
    expect(await shown()).toEqual({ text: 'We are on holiday', link: '/about' })
    expect((await say({ text: '' })).userErrors).toEqual([])
    expect(await shown()).toBeNull()
  })

  test.each<[title: string, hours: [from: number | null, until: number | null], isShown: boolean]>([
    ['is shown from the moment it begins', [-1, null], true],
    ['is shown until it ends', [null, 1], true],
    ['is shown between the two', [-1, 1], true],
    ['is not shown before it begins', [1, 2], false],
    ['is not shown once it has ended', [-2, -1], false],
  ])('%s', async (_title, [from, until], isShown) => {
    const times = { startsAt: inHours(from), endsAt: inHours(until) }
    const { announcement, userErrors } = await say({ text: 'Closed', ...times })
    expect(userErrors).toEqual([])
    expect(announcement).toMatchObject(times)
    expect(await shown()).toEqual(isShown ? { text: 'Closed', link: null } : null)
  })

  test.each<[title: string, Said, field: string, message: string]>([
    ['text that is too long', { text: 'a'.repeat(201) }, 'text', 'Text can have at most 200 characters.'],
    [
      'an end before its beginning',
      { text: '', startsAt: inHours(2), endsAt: inHours(1) },
      'endsAt',
      'The announcement must end after it begins.',
    ],
    ...['javascript:alert(1)', '//example.com', '/\\example.com', '/a b', 'about'].map(
      (link): [string, Said, string, string] => [
        link,
        { text: 'Look', link },
        'link',
        'Please enter a path such as /collections/gifts, or an address that starts with https://.',
      ],
    ),
  ])('refuses %s', async (_title, said, field, message) => {
    const before = await kept()
    expect((await say(said)).userErrors).toMatchObject([{ code: 'INVALID', field: [field], message }])
    expect(await kept()).toEqual(before)
  })

  it('is not saved over unseen, except by who says the same', async () => {
    const { version } = await kept()
    const saved = await write({ text: 'Closed until Monday', version })
    expect(saved.announcement?.version).toBe(version + 1)
    expect(await write({ text: 'Closed until Monday', version })).toEqual(saved)
    expect(await write({ text: 'Open', version })).toMatchObject({
      announcement: { text: 'Closed until Monday', version: version + 1 },
      userErrors: [{ code: 'CONFLICT' }],
    })
    expect(await shown()).toEqual({ text: 'Closed until Monday', link: null })
  })

  it('has a history', async () => {
    await say({ text: 'Back on Monday', link: 'https://example.com/where' })
    expect((await auditOf(shop, admin, ANNOUNCEMENT))[0]).toMatchObject({
      action: 'UPDATED',
      label: 'Back on Monday',
      changes: expect.arrayContaining([
        { field: 'text', before: 'Closed until Monday', after: 'Back on Monday' },
        { field: 'link', before: null, after: 'https://example.com/where' },
      ]),
    })
  })
})
