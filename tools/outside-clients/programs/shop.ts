/** What the programs have in common: where the shop is, with which key they ask, and where their order goes. */
export const SHOP = process.env['SKEIN_URL']!
export const AUTHORIZATION = { authorization: `Bearer ${process.env['SKEIN_KEY']}` }
export const HEADERS = { 'content-type': 'application/json', ...AUTHORIZATION }

export const ADDRESS = {
  name: 'Nell Knitter',
  address: '1 Purl Lane',
  city: 'Woolwich',
  state: 'ME',
  postalCode: '04579',
  country: 'United States',
}

export interface Report {
  /** Names, in the order in which they were listed. */
  browsed: string[]
  /** The first of them, by its id. */
  product: string
  order: string
}

/** Sends a document as any client would. */
export async function send<Data>(query: string, variables: unknown): Promise<Data> {
  const response = await fetch(`${SHOP}/graphql`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] }
  if (errors) throw new Error(errors[0]?.message)
  return data
}
