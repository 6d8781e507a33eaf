import { tagKey } from '#schema/rules/shapes/annotation'
import { valueAt } from '#schema/rules/present'
import type { ExternalId, ExternalIdInput } from '../generated/types.ts'
import type { Load } from '../query/batch.ts'
import type { Condition } from '../query/paging.ts'
import { KINDS, type Annotated } from './kinds.ts'

export interface Annotation {
  note: string
  tags: string[]
  externalIds: ExternalId[]
}

/** What is written on each of these. */
const loadOf =
  ({ column }: { column: string }): Load<string, Annotation> =>
  async (em, ids) => {
    const rows = await em.execute<({ id: string } & { [Field in keyof Annotation]: Annotation[Field] | null })[]>(
      `select asked.id, a.note, to_jsonb(a.tags) as tags, e.ids as "externalIds"
       from jsonb_array_elements_text(?::jsonb) as asked(id)
       left join annotations a on a.${column} = asked.id::uuid
       left join lateral (
         select jsonb_agg(jsonb_build_object('namespace', namespace, 'value', value) order by namespace collate "C") as ids
         from external_ids where ${column} = asked.id::uuid
       ) e on true`,
      [JSON.stringify([...new Set(ids)])],
    )
    const found = new Map(rows.map(row => [row.id, row]))
    return ids.map(id => {
      const { note, tags, externalIds } = valueAt(found, id)
      return { note: note ?? '', tags: tags ?? [], externalIds: externalIds ?? [] }
    })
  }

export const annotationsOf: Record<Annotated, Load<string, Annotation>> = {
  ORDER: loadOf(KINDS.ORDER),
  PRODUCT: loadOf(KINDS.PRODUCT),
  USER: loadOf(KINDS.USER),
}

interface Wanted {
  tag?: string | null
  externalId?: ExternalIdInput | null
}

/** Filters of a list of such things, as SQL. */
export function annotated(kind: Annotated, { tag, externalId }: Wanted): Condition[] {
  const { column } = KINDS[kind]
  if ([tag, externalId?.namespace, externalId?.value].some(text => text?.includes('\0'))) return [['false']]
  return [
    ...(tag == null
      ? []
      : [[`id in (select ${column} from annotations where tag_keys @> array[?::text])`, tagKey(tag)] as Condition]),
    ...(externalId
      ? [
          [
            `id in (select ${column} from external_ids where ${column} is not null and namespace = ? and value = ?)`,
            externalId.namespace,
            externalId.value,
          ] as Condition,
        ]
      : []),
  ]
}
