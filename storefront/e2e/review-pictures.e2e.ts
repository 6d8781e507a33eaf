import sharp from 'sharp'
import { expectNoBarriers } from './barriers.ts'
import { expect, open, openWhole, PASSWORD, signIn, test } from './fixtures.ts'
import { present } from '#schema/rules/present'

const picture = (background: string) =>
  sharp({ create: { width: 800, height: 600, channels: 3, background } })
    .jpeg()
    .toBuffer()

test('a knitter shows what came of a yarn, whatever ends meanwhile, and the shop takes a picture out and hides the rest', async ({
  page,
  api,
  admin,
  makeProduct,
  quiet,
}) => {
  // Requests after the session has ended, and for the picture that is gone.
  quiet.expects(/401|404/)
  const [author, yarn] = [await api.register('Wren Worsted'), await makeProduct()]
  await signIn(page, author)
  await openWhole(page, `/product/${yarn.id}`, 'StashPlaces', 'ViewerReview')
  await page.getByRole('button', { name: 'Write a customer review' }).click()
  const dialog = page.getByRole('dialog', { name: 'Write a customer review' })
  await dialog.getByRole('radio', { name: '5: Absolute perfection' }).check({ force: true })
  await dialog.getByLabel('Comment').fill('Warm as toast.')
  await api.ask('mutation { logout }', {}, author)
  await dialog.getByLabel('Drop pictures here, or choose several').setInputFiles([
    { name: 'hat.jpg', mimeType: 'image/jpeg', buffer: await picture('#41644a') },
    { name: 'drawing.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('<svg onload="alert(1)"/>') },
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('knit, purl') },
    { name: 'scarf.jpg', mimeType: 'image/jpeg', buffer: await picture('#7a3b52') },
    { name: 'cowl.jpg', mimeType: 'image/jpeg', buffer: await picture('#246') },
    { name: 'sock.jpg', mimeType: 'image/jpeg', buffer: await picture('#642') },
  ])
  const again = page.getByRole('alertdialog', { name: 'Please sign in again' })
  await again.getByLabel('Email').fill(author.email)
  await again.getByLabel('Password').fill(PASSWORD)
  await again.getByRole('button', { name: 'Sign In' }).click()
  const rows = dialog.getByRole('list', { name: 'Your pictures' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(dialog.getByText('drawing.jpg: This is not a JPG or PNG picture.')).toBeVisible()
  await expect(dialog.getByText('notes.txt: Please choose JPG or PNG pictures.')).toBeVisible()
  await expect(dialog.getByText('sock.jpg: A review has at most 3 pictures.')).toBeVisible()
  await dialog.getByLabel('What picture 1 shows').fill('A green hat on a wall')
  await dialog.getByRole('button', { name: 'Remove picture 2' }).click()
  await expect(rows).toHaveCount(2)
  await expectNoBarriers(page)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toBeHidden()

  const review = page
    .getByRole('region', { name: 'Customer Reviews' })
    .getByRole('listitem')
    .filter({ hasText: 'Warm as toast.' })
  await review.getByRole('button', { name: 'Enlarge: A green hat on a wall' }).click()
  const zoom = page.getByRole('dialog', { name: 'Pictures of the review by Wren Worsted, enlarged' })
  await expect(zoom.getByRole('img', { name: 'A green hat on a wall' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(review.getByRole('button', { name: 'Enlarge: A green hat on a wall' })).toBeFocused()
  await expectNoBarriers(page)
  const image = present(
    await review.getByRole('button', { name: 'Enlarge: A green hat on a wall' }).locator('img').getAttribute('src'),
  )

  await signIn(page, admin)
  await open(page, `/admin/reviews?product=${yarn.id}`)
  await page.getByRole('button', { name: 'Remove: Picture 2 of the review by Wren Worsted' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove picture' }).click()
  await expect(page.getByRole('button', { name: /^Remove: / })).toHaveCount(1)
  // A list is pale while it is looked at anew.
  await expect(page.locator('[aria-busy]')).toHaveCount(0)
  await expectNoBarriers(page)
  await page.getByRole('button', { name: 'Hide the review by Wren Worsted' }).click()
  await page.getByLabel('Reason').fill('Not a hat')
  await page.getByRole('button', { name: 'Hide review' }).click()
  await expect(page.getByText('Hidden: Not a hat')).toBeVisible()
  await expect.poll(async () => (await page.request.get(image)).status(), { timeout: 20_000 }).toBe(404)
  await expect(page.getByRole('button', { name: 'Enlarge: A green hat on a wall' }).locator('img')).toHaveJSProperty(
    'complete',
    true,
  )
})
