import { expect } from 'vitest'
import type { DataOf } from '../generated/answers.ts'
import type { Account, Answer, Identity, TestShop } from './shop.ts'

export const REFUSED = 'userErrors { code message field available }'

/** Runs a query or mutation that must not fail, and returns its data. */
export async function ask<const Document extends string>(
  shop: TestShop,
  who: Identity,
  operation: Document,
  variables: object = {},
): Promise<DataOf<Document>> {
  const answer = await shop.gql(operation, variables, who)
  expect(answer.errors).toBeUndefined()
  expect(answer.status).toBe(200)
  return answer.data
}

/** Uploads a file as the GraphQL multipart request specification says. `null` leaves the preflight header out. */
export async function upload<const Document extends string>(
  shop: TestShop,
  who: Identity,
  operation: Document,
  variable: string,
  file: Blob,
  name = 'file',
  headers: Record<string, string> | null = {},
  variables: object = {},
): Promise<Answer<DataOf<Document>>> {
  const form = new FormData()
  form.set('operations', JSON.stringify({ query: operation, variables: { ...variables, [variable]: null } }))
  form.set('map', JSON.stringify({ 0: [`variables.${variable}`] }))
  form.set('0', file, name)
  const response = await fetch(`${shop.url}/graphql`, {
    method: 'POST',
    body: form,
    headers: {
      ...(headers && { 'apollo-require-preflight': 'true', ...headers }),
      ...(who && { authorization: `Bearer ${who.token}` }),
    },
  })
  return { status: response.status, ...((await response.json()) as Omit<Answer<DataOf<Document>>, 'status'>) }
}

const UPLOAD_PICTURE = `mutation($file: Upload!) { uploadPicture(file: $file) { image width height ${REFUSED} } }`

export async function uploadPicture(shop: TestShop, who: Identity, content: Uint8Array, name = 'picture.jpg') {
  const answer = await upload(shop, who, UPLOAD_PICTURE, 'file', new Blob([content as Uint8Array<ArrayBuffer>]), name)
  expect(answer.errors).toBeUndefined()
  return answer.data.uploadPicture as {
    image: string | null
    width: number | null
    height: number | null
    userErrors: { code: string; message: string }[]
  }
}

const AUDIT =
  'total items { action label entity entityId actor { userId name } changes { field before after } importId }'

/** The audit log's entries about one thing, newest first. */
export async function auditOf(shop: TestShop, admin: Account, entityId: string) {
  return (
    await ask(shop, admin, `query($id: ID!) { auditLog(filter: { entityId: $id }) { ${AUDIT} } }`, { id: entityId })
  ).auditLog.items
}

/** The products whose stock ledger does not add up to their stock; none when all is well. */
export async function ledgerDifferences(shop: TestShop): Promise<unknown[]> {
  return shop.em().execute(
    `select p.id, p.name, p.count_in_stock, coalesce(sum(m.delta), 0)::int as ledger
     from products p left join stock_movements m on m.product_id = p.id group by p.id having p.count_in_stock <> coalesce(sum(m.delta), 0)`,
  )
}
