import { Authorized, Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql'
import type { Context } from '../context.ts'
import * as Gql from '../generated/classes.ts'
import { batched } from '../query/batch.ts'
import { annotationsOf } from './find-annotated.ts'
import type { Annotated } from './kinds.ts'

interface Thing {
  id: string
}

/** What resolvers of a type that can be annotated begin with. */
export function annotatedType(type: ClassType, kind: Annotated) {
  const load = annotationsOf[kind]

  @Resolver(() => type)
  abstract class AnnotatedResolver {
    @Authorized('ADMIN')
    @FieldResolver(() => String)
    async note(@Root() { id }: Thing, @Ctx() { em }: Context) {
      return (await batched(em, load, id)).note
    }

    @Authorized('ADMIN')
    @FieldResolver(() => [String])
    async tags(@Root() { id }: Thing, @Ctx() { em }: Context) {
      return (await batched(em, load, id)).tags
    }

    @Authorized('ADMIN')
    @FieldResolver(() => [Gql.ExternalId])
    async externalIds(@Root() { id }: Thing, @Ctx() { em }: Context) {
      return (await batched(em, load, id)).externalIds
    }
  }
  return AnnotatedResolver
}
