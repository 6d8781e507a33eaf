import { expect, open, signIn, test, unique } from './fixtures.ts'

const PATCH =
  'mutation($id: ID!, $group: String!) { patchProduct(id: $id, input: { group: $group }) { userErrors { message } } }'

test.describe('a line in several colourways', () => {
  test('leads from one to the next by key and by press, and stays where one is', async ({
    page,
    api,
    admin,
    makeProduct,
  }) => {
    const line = `Test Sock ${unique()}`
    const facts = { countInStock: 3, price: 1200 }
    const [amber, brook, clay] = [
      await makeProduct({ ...facts, name: `${line} in Amber` }),
      await makeProduct({ ...facts, name: `${line} in Brook`, countInStock: 0 }),
      await makeProduct({ ...facts, name: `${line} in Clay`, price: 1300 }),
    ]
    for (const { id } of [amber, brook, clay]) await api.ask(PATCH, { id, group: line }, admin)
    await api.review(clay, await api.register('Ida Intarsia'), { rating: 4, comment: 'Warm as a brick.' })

    await open(page, `/product/${amber.id}`)
    const heading = page.getByRole('heading', { level: 1 })
    const colourways = page.getByRole('navigation', { name: 'Colourways' })
    await expect(colourways.getByRole('link')).toHaveText([/^Amber$/, /Brook.*sold out/i, /^Clay$/])
    await expect(colourways.getByRole('link', { name: 'Amber' })).toHaveAttribute('aria-current', 'page')
    // What search engines are told belongs to the page that the server sent.
    const told = page.locator('script[type="application/ld+json"]')
    expect((await told.allTextContents()).join()).toContain('ProductGroup')

    await page.evaluate(() => scrollTo(0, 120))
    const place = await colourways.boundingBox()
    await colourways.getByRole('link', { name: 'Amber' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(heading).toHaveText(`${line} in Brook`)
    await expect(told).toHaveCount(0)
    await expect(colourways.getByRole('link', { name: /Brook.*sold out/i })).toBeFocused()
    await expect(page.getByRole('button', { name: 'Add to Cart' })).toBeDisabled()
    await page.keyboard.press('ArrowRight')
    await expect(heading).toHaveText(`${line} in Clay`)
    await expect(colourways.getByRole('link', { name: 'Clay' })).toBeFocused()
    await expect(page.getByRole('main')).toContainText('$13.00')
    await expect(async () => expect((await colourways.boundingBox())?.y).toBeCloseTo(place?.y ?? NaN, -1)).toPass()
    await page.keyboard.press('ArrowRight')
    await expect(heading).toHaveText(`${line} in Amber`)

    const reviews = page.getByRole('region', { name: 'Customer Reviews' })
    await expect(reviews.getByRole('listitem')).toContainText(/Ida Intarsia.*Clay.*Warm as a brick\./)
    await reviews.getByRole('button', { name: 'Only this colourway (0)' }).click()
    await expect(reviews.getByText('No Reviews')).toBeVisible()

    await colourways.getByRole('link', { name: 'Clay' }).click()
    await expect(heading).toHaveText(`${line} in Clay`)
    await expect(page).toHaveURL(new RegExp(clay.id))
    await expect(page.getByRole('region', { name: 'Recently viewed' }).getByRole('link')).toHaveText([
      `${line} in Amber`,
      `${line} in Brook`,
    ])
  })

  test('is told to search engines, and works without script', async ({ api, admin, makeProduct, browser, baseURL }) => {
    const line = `Test Lace ${unique()}`
    const [fog, gorse] = [
      await makeProduct({ name: `${line} in Fog` }),
      await makeProduct({ name: `${line} in Gorse` }),
    ]
    for (const { id } of [fog, gorse]) await api.ask(PATCH, { id, group: line }, admin)
    const context = await browser.newContext({ javaScriptEnabled: false, baseURL })
    const page = await context.newPage()
    await page.goto(`/product/${fog.id}`)
    const jsonLd = await page.locator('script[type="application/ld+json"]').allTextContents()
    expect(jsonLd.map(text => JSON.parse(text)).find(data => data['@type'] === 'ProductGroup')).toMatchObject({
      '@context': 'https://schema.org',
      name: line,
      variesBy: ['https://schema.org/color'],
      hasVariant: [
        {
          '@type': 'Product',
          name: `${line} in Fog`,
          sku: expect.stringMatching(/^[A-Z0-9-]+$/),
          color: 'Fog',
          offers: { price: '10.00' },
        },
        { '@type': 'Product', name: `${line} in Gorse`, color: 'Gorse', offers: { '@type': 'Offer' } },
      ],
    })
    await page.getByRole('navigation', { name: 'Colourways' }).getByRole('link', { name: 'Gorse' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${line} in Gorse`)
    await context.close()
  })

  test('is put together, put in order and added to by an administrator', async ({ page, api, admin, makeProduct }) => {
    const line = `Test Wool ${unique()}`
    const [moss, nut] = [await makeProduct({ name: `${line} in Moss` }), await makeProduct({ name: `${line} in Nut` })]
    await api.ask(PATCH, { id: nut.id, group: line }, admin)
    await signIn(page, admin)
    await open(page, `/admin/product/${moss.id}/edit`)
    const field = page.getByRole('combobox', { name: 'Group' })
    for (const name of [line, `Another ${line}`, line]) {
      await field.fill(name)
      await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
      await expect(field).toHaveValue(name)
    }
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const group = page.getByRole('region', { name: 'Group' })
    await expect(group.getByRole('listitem')).toHaveText(['Nut', 'Moss'])

    await group.getByRole('button', { name: 'Move Moss up' }).click()
    await group.getByLabel('Maker').fill('Fen & Daughter')
    await group.getByLabel('Name of the group').fill(' ')
    await group.getByRole('button', { name: 'Save the group' }).click()
    await expect(group.getByLabel('Name of the group')).toHaveAccessibleDescription('Name is required.')
    await expect(group.getByLabel('Name of the group')).toBeFocused()
    await group.getByLabel('Name of the group').fill(line)
    await group.getByRole('button', { name: 'Save the group' }).click()
    await expect(page.getByText('Group updated successfully.')).toBeVisible()
    await page.reload()
    await expect(group.getByRole('listitem')).toHaveText(['Moss', 'Nut'])
    await expect(group.getByLabel('Maker')).toHaveValue('Fen & Daughter')

    await group.getByRole('button', { name: 'Add a colourway' }).click()
    await expect(page.getByText('This is a draft.')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(`${line} in Moss (copy)`)
    await expect(group.getByRole('listitem')).toHaveText([/Moss$/, /Nut$/, /Moss \(copy\)\s*Draft/])

    await api.ask(PATCH, { id: nut.id, group: '' }, admin)
    await group.getByRole('button', { name: 'Move Nut up' }).click()
    await group.getByRole('button', { name: 'Save the group' }).click()
    await expect(group.getByRole('alert')).toHaveText('Not all of these products are in the group.')

    const copied = /product\/([^/]+)\/edit/.exec(page.url())?.[1]
    await api.ask('mutation($id: ID!) { deleteProduct(id: $id) { userErrors { message } } }', { id: copied }, admin)
  })
})
