import type { ApolloClient } from '@apollo/client'
import { useSuspenseQuery } from '@apollo/client/react'
import { type ActionFunction, data as routerData, type LoaderFunction, useLocation } from 'react-router-dom'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { NotFound } from '../app/ErrorPage.tsx'
import { OpenGraph } from '../app/OpenGraph.tsx'
import { FALLBACK_MESSAGE, isRefused, messageOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { color, font, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { type Answer, MessageForm } from './MessageForm.tsx'
import { SendMessageDocument, ShopPageDocument } from './ShopPage.gql.ts'

// In UTC, so that server and browser write the same date.
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

const slugOf = (pathname: string) => pathname.split('/')[1] ?? ''

export const loader =
  (client: ApolloClient): LoaderFunction =>
  async ({ request }) => {
    await client.query({ query: ShopPageDocument, variables: { slug: slugOf(new URL(request.url).pathname) } })
    return null
  }

/** The contact page's form without our script; with it, see MessageForm.tsx. */
const sendMessage =
  (client: ApolloClient): ActionFunction =>
  async ({ request }) => {
    const form = await request.formData()
    const typed = (field: string) => String(form.get(field) ?? '')
    const values = { name: typed('name'), email: typed('email'), message: typed('message') }
    const refused = (problems: { field: string | undefined; message: string }[], status: number) =>
      routerData({ values, problems } satisfies Answer, { status })
    try {
      const { data } = await client.mutate({ mutation: SendMessageDocument, variables: { input: values } })
      const { mailbox, userErrors } = data?.sendMessage ?? { userErrors: [{ message: FALLBACK_MESSAGE, field: null }] }
      if (userErrors.length === 0) return { sent: { to: values.email, mailbox } } satisfies Answer
      return refused(
        userErrors.map(({ field, message }) => ({ field: field?.at(-1), message })),
        422,
      )
    } catch (error) {
      return refused([{ field: undefined, message: messageOf(error) }], isRefused(error) ? 422 : 503)
    }
  }

export const action = import.meta.env.SSR ? sendMessage : undefined

/** A page about the shop, as its owner wrote it. */
export default function ShopPage() {
  const slug = slugOf(useLocation().pathname)
  const { page } = useSuspenseQuery(ShopPageDocument, { variables: { slug } }).data
  if (!page) return <NotFound />
  const { title, html, updatedAt } = page
  const path = `/${page.slug}`
  const summary = `${title}: what you should know about buying here.`
  return (
    <Container $width="text">
      <Head title={title} description={summary} canonical={path} />
      <OpenGraph type="website" title={title} description={summary} path={path} picture={paths.sharePage(path)} />
      <h1>{title}</h1>
      {/* Made by the API from Markdown, without any HTML of its author's. */}
      <Prose dangerouslySetInnerHTML={{ __html: html }} />
      {updatedAt && <Changed>Last changed on {day.format(new Date(updatedAt))}</Changed>}
      {slug === 'contact' && <MessageForm />}
    </Container>
  )
}

const Prose = styled.div`
  display: grid;
  gap: ${space[4]};
  max-width: ${measure.text};
  margin-top: ${space[5]};
  overflow-wrap: anywhere;
  h2,
  h3 {
    margin-top: ${space[4]};
    font-family: ${font.serif};
  }
  ul,
  ol {
    display: grid;
    gap: ${space[2]};
    padding-left: ${space[5]};
  }
  img {
    max-width: 100%;
    height: auto;
  }
  blockquote {
    padding-left: ${space[4]};
    border-left: 3px solid ${color.line};
  }
`
const Changed = styled.p`
  margin-top: ${space[5]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
