import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import { SHOP_PAGES } from '#schema/rules/shop-pages'
import { signedIn, type Context } from '../context.ts'
import type { Fields, Roots } from '../kernel/contract.ts'
import { payload } from '../kernel/errors.ts'
import * as Gql from '../generated/classes.ts'
import { MAILBOX_PATH } from '../mail/mailbox.ts'
import { ShopPage } from './page.entity.ts'
import { figuresOf, renderPage } from './render-page.ts'
import { sendMessage } from './send-message.ts'
import { textOf, updatePage } from './update-page.ts'

const ORDER: readonly string[] = SHOP_PAGES.map(({ slug }) => slug)

@Resolver(() => Gql.Page)
export class PageResolver
  implements Fields<'Page', ShopPage>, Roots<'Query', 'pages' | 'page'>, Roots<'Mutation', 'updatePage' | 'sendMessage'>
{
  @Query(() => [Gql.Page])
  async pages(@Ctx() { em }: Context) {
    return (await em.find(ShopPage, {})).toSorted((a, b) => ORDER.indexOf(a.slug) - ORDER.indexOf(b.slug))
  }

  @Query(() => Gql.Page, { nullable: true })
  page(@Args(() => Gql.QueryPageArgs) { slug }: Gql.QueryPageArgs, @Ctx() { em }: Context) {
    return ORDER.includes(slug) ? em.findOne(ShopPage, { slug: slug as ShopPage['slug'] }) : null
  }

  @FieldResolver(() => String)
  title(@Root() page: ShopPage) {
    return textOf(page).title
  }

  @FieldResolver(() => String)
  markdown(@Root() page: ShopPage) {
    return textOf(page).markdown
  }

  @FieldResolver(() => String)
  html(@Root() page: ShopPage, @Ctx() context: Context) {
    return renderPage(textOf(page).markdown, figuresOf(context, page.slug))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.PagePayload)
  updatePage(
    @Args(() => Gql.MutationUpdatePageArgs) { slug, input }: Gql.MutationUpdatePageArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => ({ page: await updatePage(context.em, signedIn(context), slug, input) }))
  }

  @Mutation(() => Gql.MessagePayload)
  sendMessage(
    @Args(() => Gql.MutationSendMessageArgs) { input }: Gql.MutationSendMessageArgs,
    @Ctx() context: Context,
  ) {
    return payload(async () => {
      await sendMessage(context, input)
      return { mailbox: context.mailTo === 'mailbox' ? MAILBOX_PATH : null }
    })
  }
}
