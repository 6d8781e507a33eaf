import { useEffect } from 'react'
import type { FieldValues, Resolver } from 'react-hook-form'
import type { ZodType } from 'zod'

/**
 * Checks a form by a shape that is fetched when the page is alive: it weighs more than most pages. `fetchShape` is of the
 * module, not of a render. Where the shape does not arrive the API checks alone, which has the same one.
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
