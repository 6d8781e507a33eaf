import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { CapabilityName } from './profile.ts'

/** What an agent's call is answered with. */
export interface Shop {
  /** Public origin. */
  url: string
  em: EntityManager
  /** Where it sends orders, and what decides their tax. */
  terms: Pick<Context, 'policy' | 'delivery'>
  /** Runs an operation as a visitor, no matter who asks. */
  ask<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables, as?: As): Promise<Data>
}

export interface As {
  /** Things on a page. */
  pageSize?: number
  /** Opens a guest's order. */
  orderToken?: string
}

export interface Asked<Body> {
  /** Of what exists already; empty otherwise. */
  id: string
  body: Body
  /** Under which the agent may send the same again. */
  idempotencyKey: string | null
}

/** Something agents can ask for: a tool over MCP, a call over REST. */
export interface Call<Body extends z.ZodType = z.ZodType> {
  tool: string
  /** For the agent that chooses between tools. */
  description: string
  capability: CapabilityName
  method: 'GET' | 'POST' | 'PUT'
  /** Below the endpoint; `:id` is what it is about. */
  path: string
  /** Of an answer over REST that went well. */
  status?: 201
  /** What a tool calls the body; null when there is none. */
  takes: { name: 'catalog' | 'cart' | 'checkout'; shape: Body; optional?: true } | null
  /** The protocol does not let it be asked without an idempotency key. */
  needsKey?: true
  answer(shop: Shop, asked: Asked<z.output<Body>>): Promise<object>
}

/** One of any body, as the table has it: `call` has checked that its parts fit each other. */
export type AnyCall = Call

export const call = <Body extends z.ZodType>(typed: Call<Body>): AnyCall => typed as AnyCall

/** What agents may say about their user. All users are answered the same here, so it is not used. */
const some = z.string().max(500).optional()
export const hints = {
  context: z
    .looseObject({
      address_country: some,
      address_region: some,
      postal_code: some,
      intent: some,
      language: some,
      currency: some,
      eligibility: z.array(z.string().max(200)).max(20).optional(),
    })
    .optional(),
  signals: z.looseObject({}).optional(),
  attribution: z.looseObject({}).optional(),
}

type Severity = 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable'

/** Something an agent, or its buyer, has to know. */
export interface Message {
  type: 'error' | 'warning' | 'info'
  code: string
  content: string
  /** Where, as a JSONPath. */
  path?: string
  /** Of errors: what can be done. */
  severity?: Severity
}

/** There is nothing to answer with but messages. */
export class Nothing extends Error {
  readonly messages: Message[]

  constructor(...messages: Message[]) {
    super(messages.map(({ content }) => content).join(' '))
    this.messages = messages
  }
}

export const error = (code: string, content: string, severity: Severity = 'recoverable', path?: string): Message => ({
  type: 'error',
  code,
  content,
  severity,
  ...(path !== undefined && { path }),
})

export const warning = (code: string, content: string, path: string): Message => ({
  type: 'warning',
  code,
  content,
  path,
})
