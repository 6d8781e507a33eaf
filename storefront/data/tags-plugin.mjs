// Codegen plugin: which Query fields return an entity, and which entities a Mutation field changes. storefront/data/apollo.ts
// drops and refetches cached data with it. Types without an id (pages, payloads) are looked through.
import { getNamedType, isObjectType } from 'graphql'

export function plugin(schema) {
  const entities = (type, seen = new Set()) => {
    const named = getNamedType(type)
    if (!isObjectType(named) || seen.has(named.name)) return []
    seen.add(named.name)
    const fields = named.getFields()
    return fields.id ? [named.name] : Object.values(fields).flatMap(field => entities(field.type, seen))
  }
  const queryFieldsOf = {}
  const typesChangedBy = {}
  for (const field of Object.values(schema.getQueryType()?.getFields() ?? {})) {
    for (const entity of new Set(entities(field.type))) (queryFieldsOf[entity] ??= []).push(field.name)
  }
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const changed = [...new Set(entities(field.type))]
    if (changed.length > 0) typesChangedBy[field.name] = changed
  }
  return [
    '/** Entity type -> Query fields that return it, through lists and wrappers without an id. */',
    `export const queryFieldsOf = ${JSON.stringify(queryFieldsOf, null, 2)} as const`,
    '/** Mutation field -> entity types it returns. */',
    `export const typesChangedBy = ${JSON.stringify(typesChangedBy, null, 2)} as const`,
    'export type Tag = keyof typeof queryFieldsOf',
    '',
  ].join('\n')
}
