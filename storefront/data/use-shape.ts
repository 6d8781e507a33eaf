import { useEffect } from 'react'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { ZodType } from 'zod'

/**
 * Checks a form with a shape that is fetched once the page is hydrated, because it is bigger than most pages. Define
 * `fetchShape` in a module, not in a render. If the shape cannot be fetched, only the API checks, with the same shape.
 */
export function useShape<Input extends FieldValues, Output>(
  fetchShape: () => Promise<ZodType<Output, Input>>,
): Resolver<Input, unknown, Output> {
  useEffect(() => {
    void resolverOf(fetchShape).catch(() => {})
  }, [fetchShape])
  return async (values, ...rest) => {
    const resolve = await resolverOf(fetchShape).catch(() => null)
    return resolve ? resolve(values, ...rest) : { values: values as unknown as Output, errors: {} }
  }
}

async function resolverOf<Input extends FieldValues, Output>(
  fetchShape: () => Promise<ZodType<Output, Input>>,
): Promise<Resolver<Input, unknown, Output>> {
  const [{ zodResolver }, shape] = await Promise.all([import('@hookform/resolvers/zod'), fetchShape()])
  return zodResolver(shape)
}
