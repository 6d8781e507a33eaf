import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, vi } from 'vitest'
import type { Identity, TestShop } from './shop.ts'
import { present } from '#schema/rules/present'

interface Statement {
  query: string
  params: unknown[]
}

export interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  'Plan Rows': number
  Plans?: Node[]
}

export type PlansOf = ReturnType<typeof notePlans>

/** Returns a function that runs an operation and returns how the database does it: each statement's plan, as a flat list. */
export function notePlans(shop: TestShop) {
  const noting = new AsyncLocalStorage<Statement[]>()
  vi.spyOn(shop.orm.config.getLogger(), 'logQuery').mockImplementation(({ query, params }) => {
    noting.getStore()?.push({ query: present(query), params: [...(params ?? [])] })
  })
  return async (
    query: string,
    variables: object = {},
    identity: Identity = null,
  ): Promise<{ query: string; nodes: Node[] }[]> => {
    const statements: Statement[] = []
    const headers = identity ? { authorization: `Bearer ${identity.token}` } : {}
    // Awaited inside, because the request starts only when it is awaited.
    const response = await noting.run(
      statements,
      async () => await shop.app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } }),
    )
    expect(response.json().errors).toBeUndefined()
    const em = shop.em()
    const plans: { query: string; nodes: Node[] }[] = []
    for (const { query, params } of statements) {
      if (query.startsWith('begin')) await em.begin()
      else if (query === 'commit') await em.commit()
      else if (query.includes('set_config')) await em.execute(query, params)
      else {
        const [{ 'QUERY PLAN': plan }] = (await em.execute(`explain (format json) ${query}`, params)) as [
          { 'QUERY PLAN': [{ Plan: Node }] },
        ]
        plans.push({ query, nodes: flat(plan[0].Plan) })
      }
    }
    expect(plans.length).toBeGreaterThan(0)
    return plans
  }
}

/** A plan's node and all below it. */
export const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
