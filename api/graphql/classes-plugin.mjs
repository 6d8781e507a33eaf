// A codegen plugin: the classes of the contract. Fields that no resolver stands for are read as they are, without TypeGraphQL's calls around it.
import { plugin as classes } from '@graphql-codegen/typescript-type-graphql'

export async function plugin(...asked) {
  const { prepend, content } = await classes(...asked)
  return {
    prepend,
    content: content.replaceAll('@TypeGraphQL.ObjectType({', '@TypeGraphQL.ObjectType({ simpleResolvers: true,'),
  }
}
