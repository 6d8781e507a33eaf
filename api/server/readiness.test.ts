import { expect, it, onTestFinished, vi } from 'vitest'
import { FacetIndex } from '../catalog/search/facet-index.ts'
import { openShop } from '../testing/shop.ts'

it('opens before all products are read, and tells balancers when they are, also when reading failed once', async () => {
  const { resolve: letRead, promise: mayRead } = Promise.withResolvers<void>()
  const read = vi.spyOn(FacetIndex.prototype, 'warm')
  onTestFinished(() => read.mockRestore())
  read.mockRejectedValueOnce(new Error('The database was restarted.'))
  read.mockImplementation(() => mayRead)
  const shop = await openShop()
  onTestFinished(() => shop.close())
  const answer = async (url: string) => {
    const { statusCode, body } = await shop.app.inject({ url })
    return [statusCode, JSON.parse(body).status]
  }
  expect(await answer('/livez')).toEqual([200, 'alive'])
  expect(await answer('/readyz')).toEqual([503, 'waiting for its products'])
  expect((await shop.gql('{ products { total } }')).data.products.total).toBe(0)
  letRead()
  await expect.poll(() => answer('/readyz'), { timeout: 10_000 }).toEqual([200, 'ready'])
  expect(read).toHaveBeenCalledTimes(2)
})
