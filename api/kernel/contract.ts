import type { Resolvers } from '../generated/types.ts'

type Result<T extends keyof Resolvers, F extends keyof NonNullable<Resolvers[T]>> =
  Extract<NonNullable<Resolvers[T]>[F], (...args: never[]) => unknown> extends (...args: never[]) => infer R ? R : never

type FieldOf<T extends keyof Resolvers> = Exclude<keyof NonNullable<Resolvers[T]>, `__${string}`>

/** The fields of SDL type T that an entity E cannot serve by its own properties. */
type Missing<T extends keyof Resolvers, E> = {
  [F in FieldOf<T>]: F extends keyof E ? (E[F] extends Result<T, F> ? never : F) : F
}[FieldOf<T>]

/**
 * `class OrderResolver implements Fields<'Order', Order>` must have exactly what the entity lacks, with the SDL's
 * result types: `tsc` fails when contract and entity drift apart.
 */
export type Fields<T extends keyof Resolvers, E> = { [F in Missing<T, E>]: (...args: never[]) => Result<T, F> }

/** The root fields a resolver class promises to serve. */
export type Roots<T extends 'Query' | 'Mutation', F extends FieldOf<T>> = {
  [K in F]: (...args: never[]) => Result<T, K>
}
