import { ApolloClient, ApolloLink, InMemoryCache } from '@apollo/client'
import { ApolloProvider } from '@apollo/client/react'
import { LRUCache } from 'lru-cache'
import type { ComponentType } from 'react'
import { preload } from 'react-dom'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { ServerStyleSheet } from 'styled-components'
import { shopCurrency } from '#schema/rules/money'
import { type Keep, PreloadContext } from '../ui/Kept.tsx'
import { KnownStyles } from './known-styles.tsx'

/** A rendered part of a page, with the styles and preloads it asked for, in order. */
interface Fragment {
  html: { __html: string }
  styles: Parameters<ServerStyleSheet['instance']['insertRules']>[]
  preloads: Parameters<typeof preload>[]
}

/** A character counts as two bytes. A style counts as 100 bytes, because the rules themselves are shared (known-styles.tsx). */
const fragments = new LRUCache<string, Fragment>({
  maxSize: 16 * 2 ** 20,
  maxEntrySize: 2 ** 18,
  sizeCalculation: ({ html, styles }, key) => (key.length + html.__html.length) * 2 + styles.length * 100,
})

/** Components are identified by number, because their names are not unique. */
const numbers = new WeakMap<object, number>()
let components = 0

function numberOf(component: object): number {
  const known = numbers.get(component)
  if (known !== undefined) return known
  numbers.set(component, ++components)
  return components
}

/** For one page: reuses parts that were rendered for other pages, and adds their styles and preloads. */
export const keepFor =
  ({ instance: sheet }: ServerStyleSheet): Keep =>
  (Content, facts) => {
    const key = `${numberOf(Content)} ${shopCurrency()} ${JSON.stringify(facts)}`
    const known = fragments.get(key)
    const fragment = known ?? fragmentOf(Content, facts)
    if (!known) fragments.set(key, fragment)
    for (const [id, name, rules] of fragment.styles)
      if (!sheet.hasNameForId(id, name)) sheet.insertRules(id, name, rules)
    for (const announced of fragment.preloads) preload(...announced)
    return fragment.html
  }

/** A client without data: a part that is shared by pages must not depend on any one of them. */
const client = new ApolloClient({ cache: new InMemoryCache(), link: ApolloLink.empty(), ssrMode: true })

function fragmentOf<Facts extends object>(Content: ComponentType<Facts>, facts: Facts): Fragment {
  const sheet = new ServerStyleSheet()
  const styles: Fragment['styles'] = []
  const preloads: Fragment['preloads'] = []
  const insertRules = sheet.instance.insertRules.bind(sheet.instance)
  sheet.instance.insertRules = (...rules) => {
    styles.push(rules)
    insertRules(...rules)
  }
  const html = renderToString(
    sheet.collectStyles(
      <KnownStyles>
        <ApolloProvider client={client}>
          <StaticRouter location="/">
            <PreloadContext value={(...announced) => void preloads.push(announced)}>
              <Content {...facts} />
            </PreloadContext>
          </StaticRouter>
        </ApolloProvider>
      </KnownStyles>,
    ),
  )
  sheet.seal()
  return { html: { __html: html }, styles, preloads }
}
