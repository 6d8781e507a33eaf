import { Args, Authorized, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { Context } from '../../context.ts'
import * as Gql from '../../generated/classes.ts'
import type { Fields, Roots } from '../../kernel/contract.ts'
import { payload } from '../../kernel/errors.ts'
import type { ProductList } from '../list-products.ts'
import { countFacets } from './facets.ts'
import { deleteMeaning, listMeanings, saveMeaning } from './meanings.ts'
import { listSearchTerms } from './search-log.ts'
import { suggest } from './suggest.ts'

@Resolver(() => Gql.ProductPage)
export class ProductPageResolver implements Fields<'ProductPage', ProductList> {
  @FieldResolver(() => [Gql.Product])
  items(@Root() list: ProductList) {
    return list.items()
  }

  @FieldResolver(() => [Gql.ProductFacet])
  facets(@Root() { within }: ProductList, @Ctx() { em, facetIndex }: Context) {
    return within ? countFacets(facetIndex, em, within.wanted, within.filter) : Promise.resolve([])
  }
}

@Resolver()
export class SearchResolver
  implements
    Roots<'Query', 'searchSuggestions' | 'searchTerms' | 'synonyms'>,
    Roots<'Mutation', 'noteSearchClick' | 'saveSynonym' | 'deleteSynonym'>
{
  @Query(() => Gql.SearchSuggestions)
  searchSuggestions(
    @Args(() => Gql.QuerySearchSuggestionsArgs) { typed }: Gql.QuerySearchSuggestionsArgs,
    @Ctx() { em, facetIndex }: Context,
  ) {
    return suggest(em, facetIndex, typed)
  }

  @Authorized('ADMIN')
  @Query(() => Gql.SearchTermPage)
  searchTerms(
    @Args(() => Gql.QuerySearchTermsArgs) { days, outcome, page }: Gql.QuerySearchTermsArgs,
    @Ctx() { em, pageSize }: Context,
  ) {
    return listSearchTerms(em, { days: days ?? 30, outcome: outcome ?? null, page: page ?? 1, pageSize })
  }

  @Authorized('ADMIN')
  @Query(() => [Gql.Synonym])
  synonyms(@Ctx() { em }: Context) {
    return listMeanings(em)
  }

  @Mutation(() => Boolean)
  noteSearchClick(
    @Args(() => Gql.MutationNoteSearchClickArgs) { keyword }: Gql.MutationNoteSearchClickArgs,
    @Ctx() { ip, searchLog }: Context,
  ) {
    searchLog.clicked(ip, keyword)
    return true
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.SynonymPayload)
  saveSynonym(@Args(() => Gql.MutationSaveSynonymArgs) { input }: Gql.MutationSaveSynonymArgs, @Ctx() { em }: Context) {
    return payload(async () => ({ synonym: await saveMeaning(em, input) }))
  }

  @Authorized('ADMIN')
  @Mutation(() => Gql.SynonymPayload)
  deleteSynonym(
    @Args(() => Gql.MutationDeleteSynonymArgs) { id }: Gql.MutationDeleteSynonymArgs,
    @Ctx() { em }: Context,
  ) {
    return payload(async () => ({ synonym: await deleteMeaning(em, id) }))
  }
}
