import { useApolloClient } from '@apollo/client/react'
import { useCallback } from 'react'
import { invalidate } from '../data/invalidate.ts'

/** Query fields that hold only figures: invalidation by entity does not reach them. */
type Untagged = 'productStats' | 'orderStats' | 'userStats' | 'orderCounts' | 'categories' | 'auditLog' | 'dashboard'
/** Query fields an import changes without returning what they hold. */
type Catalogue = 'adminProducts' | 'product' | 'products' | 'productImports' | 'productImport'

/** Says after a mutation which figures have to be fetched again. */
export function useInvalidate() {
  const client = useApolloClient()
  return useCallback(
    (...fields: (Untagged | Catalogue)[]) => invalidate(client, field => (fields as string[]).includes(field)),
    [client],
  )
}
