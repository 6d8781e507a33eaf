import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { expectNoBarriers, expectNoSidewaysScroll } from './barriers.ts'
import { type Account, type Api, expect, open, signIn, test, toasts } from './fixtures.ts'
import { nth } from '#schema/rules/present'

/** A large picture of one colour, with a line through it so that its movements can be seen. */
const picture = (background: string) =>
  sharp({ create: { width: 1600, height: 1600, channels: 3, background } })
    .composite([{ input: { create: { width: 1600, height: 8, channels: 3, background: 'white' } }, left: 0, top: 796 }])
    .jpeg()
    .toBuffer()

async function uploaded(page: Page, admin: Account, background: string): Promise<string> {
  const answer = await page.request.post('/api/uploads', {
    headers: { authorization: `Bearer ${admin.token}` },
    multipart: { image: { name: 'yarn.jpg', mimeType: 'image/jpeg', buffer: await picture(background) } },
  })
  return (await answer.json()).image
}

const give = (api: Api, admin: Account, id: string, pictures: { image: string; alt: string }[]) =>
  api.ask(
    'mutation($id: ID!, $pictures: [ProductPictureInput!]) { patchProduct(id: $id, input: { pictures: $pictures }) { userErrors { message } } }',
    { id, pictures },
    admin,
  )

/** How far the left edge of a picture is from that of its scroll box: 0 when this picture is the one in view. */
const offsetIn = (box: Locator, picture: Locator) => async () =>
  Math.abs(Math.round(((await picture.boundingBox())?.x ?? NaN) - ((await box.boundingBox())?.x ?? NaN)))

test('the pictures of a product are gone through and enlarged by key', async ({ page, api, admin, makeProduct }) => {
  const { id, name, image } = await makeProduct()
  await give(api, admin, id, [
    { image, alt: 'The skein' },
    { image: await uploaded(page, admin, '#41644a'), alt: 'The swatch' },
    { image: await uploaded(page, admin, '#7a3b52'), alt: '' },
  ])
  await open(page, `/product/${id}`)
  const gallery = page.getByRole('group', { name: `Pictures of ${name}` })
  await gallery.getByRole('button', { name: 'Enlarge picture 1 of 3: The skein' }).focus()
  await page.keyboard.press('ArrowRight')
  const swatch = gallery.getByRole('button', { name: 'Enlarge picture 2 of 3: The swatch' })
  await expect(swatch).toBeFocused()
  await expect.poll(offsetIn(gallery, gallery.getByRole('img', { name: 'The swatch' }))).toBeLessThan(3)
  await expect(gallery.getByRole('button', { name: /^Show picture 2/ })).toHaveAttribute('aria-current', 'true')

  await page.keyboard.press('Enter')
  const zoom = page.getByRole('dialog', { name: `Pictures of ${name}, enlarged` })
  const enlarged = zoom.getByRole('img', { name: 'The swatch' })
  await expect(enlarged).toBeVisible()
  await expectNoBarriers(page)
  const before = (await enlarged.boundingBox())?.width ?? NaN
  await page.keyboard.press('+')
  await expect.poll(async () => (await enlarged.boundingBox())?.width).toBeGreaterThan(before * 1.3)
  await page.keyboard.press('-')
  await expect.poll(async () => Math.round((await enlarged.boundingBox())?.width ?? NaN)).toBe(Math.round(before))
  await page.keyboard.press('ArrowRight')
  // The next picture is current before it is shown.
  await expect(zoom.locator('.yarl__slide_current')).toHaveAttribute('aria-label', 'Picture 3 of 3')
  await page.keyboard.press('Escape')
  await expect(zoom).toBeHidden()
  await expect(gallery.getByRole('button', { name: /^Enlarge picture 3 of 3/ })).toBeFocused()
  await expect(gallery.getByRole('button', { name: /^Show picture 3/ })).toHaveAttribute('aria-current', 'true')
})

test('a yarn of the sample shows its knitted swatch under a ruler, in its thumbnails and enlarged', async ({
  page,
  api,
}) => {
  const { product } = await api.ask('{ product(sku: "NINEPIN-MARMALADE") { id name } }', {})
  const alt = `Knitted swatch of ${product.name}, 31 stitches over 10 cm, under a ruler`
  await open(page, `/product/${product.id}`)
  const gallery = page.getByRole('group', { name: `Pictures of ${product.name}` })
  await gallery.getByRole('button', { name: /^Show picture 1/ }).focus()
  await page.keyboard.press('ArrowRight')
  const thumb = gallery.getByRole('button', { name: /^Show picture 2/ })
  await expect(thumb).toBeFocused()
  await expect(thumb).toHaveAttribute('aria-current', 'true')
  const swatch = gallery.getByRole('img', { name: alt })
  await expect.poll(offsetIn(gallery, swatch)).toBeLessThan(3)
  // The browser takes the AVIF, and it has really loaded.
  await expect
    .poll(() =>
      swatch.evaluate(image => [(image as HTMLImageElement).currentSrc, (image as HTMLImageElement).naturalWidth > 0]),
    )
    .toEqual([expect.stringContaining('as=avif'), true])
  await gallery.getByRole('button', { name: /^Enlarge picture 2/ }).focus()
  await page.keyboard.press('Enter')
  const zoom = page.getByRole('dialog', { name: `Pictures of ${product.name}, enlarged` })
  const enlarged = zoom.getByRole('img', { name: alt })
  await expect(enlarged).toBeVisible()
  const before = (await enlarged.boundingBox())?.width ?? NaN
  await page.keyboard.press('+')
  await expect.poll(async () => (await enlarged.boundingBox())?.width).toBeGreaterThan(before * 1.3)
  await page.keyboard.press('Escape')
  await expect(zoom).toBeHidden()
})

test.describe('by touch', () => {
  test.use({ hasTouch: true })

  test(
    'the pictures of a product are swiped and pinched',
    { tag: '@phone' },
    async ({ page, api, admin, makeProduct }) => {
      const { id, name, image } = await makeProduct()
      await give(api, admin, id, [
        { image, alt: 'The skein' },
        { image: await uploaded(page, admin, '#41644a'), alt: 'The swatch' },
      ])
      await open(page, `/product/${id}`)
      await expectNoSidewaysScroll(page)
      const gallery = page.getByRole('group', { name: `Pictures of ${name}` })
      const swatch = gallery.getByRole('img', { name: 'The swatch' })
      const place = await gallery.getByRole('img', { name: 'The skein' }).boundingBox()
      if (!place) throw new Error('The picture is not on the page.')
      const middle = { x: place.x + place.width / 2, y: place.y + place.height / 2 }
      const screen = await page.context().newCDPSession(page)
      /** Touches with fingers at these distances from the middle of the picture. */
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...fingers: number[]) =>
        screen.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: fingers.map((x, id) => ({ x: middle.x + x, y: middle.y, id })),
        })
      const across = [0.4, 0.3, 0.2, 0.1, 0, -0.1, -0.2, -0.3, -0.4].map(part => part * place.width)
      await touch('touchStart', nth(across, 0))
      for (const x of across) await touch('touchMove', x)
      await touch('touchEnd')
      await expect.poll(offsetIn(gallery, swatch)).toBeLessThan(3)

      await gallery.getByRole('button', { name: 'Enlarge picture 2 of 2: The swatch' }).click()
      const zoom = page.getByRole('dialog', { name: `Pictures of ${name}, enlarged` })
      const enlarged = zoom.getByRole('img', { name: 'The swatch' })
      await expect(enlarged).toBeVisible()
      const before = (await enlarged.boundingBox())?.width ?? NaN
      await touch('touchStart', -20, 20)
      for (const x of [40, 60, 80, 100, 120, 140]) await touch('touchMove', -x, x)
      await touch('touchEnd')
      await expect.poll(async () => (await enlarged.boundingBox())?.width).toBeGreaterThan(before * 1.3)
      await expectNoBarriers(page)
      await zoom.getByRole('button', { name: 'Close' }).click()
      await expect(zoom).toBeHidden()
      await expectNoBarriers(page)
    },
  )
})

test('an owner adds several pictures at once, describes them and puts them in order', async ({
  page,
  api,
  admin,
  makeProduct,
}) => {
  const { id, name } = await makeProduct()
  await signIn(page, admin)
  await open(page, `/admin/product/${id}/edit`)
  const panel = page.getByRole('region', { name: 'All pictures' })
  const rows = panel.getByRole('list', { name: 'Pictures in their order' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await panel.getByLabel('Drop more pictures here, or choose several').setInputFiles([
    { name: 'swatch.jpg', mimeType: 'image/jpeg', buffer: await picture('#41644a') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('knit, purl') },
    { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no picture at all') },
    { name: 'ply.jpg', mimeType: 'image/jpeg', buffer: await picture('#7a3b52') },
  ])
  await expect(rows).toHaveCount(3)
  await expect(panel.getByText('notes.txt: Please choose JPG or PNG pictures.')).toBeVisible()
  await expect(panel.getByText('broken.jpg: This is not a JPG or PNG picture.')).toBeVisible()
  await panel.getByLabel('What picture 2 shows').fill('The swatch')
  await panel.getByLabel('What picture 3 shows').fill('The ply')
  await panel.getByRole('button', { name: 'Move picture 3 earlier' }).focus()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('button', { name: 'Move picture 2 earlier' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByLabel('What picture 1 shows')).toHaveValue('The ply')
  await rows.nth(1).getByTitle('Drag to another place').dragTo(rows.nth(0))
  await expect(panel.getByLabel('What picture 2 shows')).toHaveValue('The ply')
  await rows.nth(0).getByTitle('Drag to another place').dragTo(rows.nth(1))
  await expect(panel.getByLabel('What picture 1 shows')).toHaveValue('The ply')
  await panel.getByRole('button', { name: 'Remove picture 3' }).click()
  await expect(rows).toHaveCount(2)
  await panel.getByRole('button', { name: 'Put it back' }).click()
  await expect(panel.getByLabel('What picture 3 shows')).toHaveValue('The swatch')
  await panel.getByRole('button', { name: 'Remove picture 2' }).click()
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toasts(page).getByText('Product updated successfully.')).toBeVisible()

  const { product } = await api.ask('query($id: ID!) { product(id: $id) { image pictures { image alt width } } }', {
    id,
  })
  expect(product.pictures).toMatchObject([
    { image: product.image, alt: 'The ply', width: 1600 },
    { alt: 'The swatch', width: 1600 },
  ])
  await open(page, `/product/${id}`)
  await expect(
    page.getByRole('group', { name: `Pictures of ${name}` }).getByRole('img', { name: 'The ply' }),
  ).toBeVisible()
})
