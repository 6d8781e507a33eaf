import type { ShopQuery } from '../app/Shop.gql.ts'

export type Provider = ShopQuery['shop']['signInProviders'][number]

export const providerNames: Record<Provider, string> = { APPLE: 'Apple', GOOGLE: 'Google' }
