import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { z } from 'zod'

type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** What a request brings, checked. */
export interface Asked<Param extends string = string, Query = unknown, Body = unknown> {
  params: Record<Param, string>
  query: Query
  body: Body
  /** Of the form field `image`, as the contract's Upload. */
  file: unknown
  /** The bearer token it came with, if any. */
  token: string | null
  idempotencyKey: string | null
}

/** One REST call: the GraphQL operation behind it, and the mapping in and out. */
export interface Call<
  Path extends string,
  Data,
  Variables,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: Path
  /** For the API document. */
  summary: string
  access: 'anyone' | 'signed in' | 'signed in or guest' | 'owner' | 'owner or admin' | 'admin'
  operation: TypedDocumentNode<Data, Variables>
  /** Shape of the query string. */
  query?: Query
  /** Shape of the JSON body. */
  body?: Body
  input(asked: Asked<ParamOf<Path>, z.output<Query>, z.output<Body>>): NoInfer<Variables>
  /** Null answers 404. */
  output(data: Data, asked: Asked): z.input<NoInfer<Answer>> | null
  status?: 201
  answer: Answer
  /** A body that is accepted, for the API document. */
  example?: unknown
  /** What an `Idempotency-Key` makes safe to repeat, where the operation takes one. */
  keyed?: string
  /** The list is answered whole, as far as `EVERYTHING` goes; its page says whether that was all. */
  unpaged?(data: Data): { page: number; pages: number } | null
}

type Fields = Record<string, unknown>

/** One of any types, as the table has it: `call` has checked that they fit each other. */
export type AnyCall = Call<string, Fields, Fields, z.ZodType, z.ZodType, z.ZodType>

export const call = <
  const Path extends string,
  Data,
  Variables,
  Answer extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
>(
  typed: Call<Path, Data, Variables, Query, Body, Answer>,
): AnyCall => typed as AnyCall

/** What a payload without errors has. */
export function given<Thing>(thing: Thing | null): Thing {
  if (thing === null) throw new Error('A payload has neither what it is about nor an error.')
  return thing
}
