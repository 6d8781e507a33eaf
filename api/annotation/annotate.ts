import type { EntityManager } from '@mikro-orm/postgresql'
import { annotation, tagKey } from '#schema/rules/shapes/annotation'
import { changesBetween, recordAudit, type Actor } from '../audit/record-audit.ts'
import type { AnnotationInput, ExternalId } from '../generated/types.ts'
import { Refusal, refuse } from '../kernel/errors.ts'
import { check, isId, nullAsLeftOut } from '../kernel/validation.ts'
import { annotationsOf, type Annotation } from './find-annotated.ts'
import { KINDS, type Annotated } from './kinds.ts'

const given = nullAsLeftOut(annotation)

/** Writes a note, tags and external ids on a thing. */
export async function annotate(
  em: EntityManager,
  actor: Actor,
  kind: Annotated,
  id: string,
  input: AnnotationInput,
): Promise<void> {
  const { note, tags, externalIds } = check(given, input)
  await em.transactional(async tx => {
    const label = await lock(tx, kind, id)
    const [before] = (await annotationsOf[kind](tx, [id])) as [Annotation]
    const after = {
      note: note ?? before.note,
      tags: tags ?? before.tags,
      externalIds: (externalIds ?? before.externalIds).toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1)),
    }
    const changes = changesBetween(inWords(before), inWords(after), ['note', 'tags', 'externalIds'])
    if (changes.length === 0) return
    await write(tx, kind, id, after)
    if (externalIds) await name(tx, kind, id, externalIds)
    await tx.execute(`update ${KINDS[kind].table} set updated_at = clock_timestamp() where id = ?`, [id])
    await KINDS[kind].record(tx, id)
    await recordAudit(tx, actor, { entity: kind, entityId: id, label, action: 'UPDATED', changes })
  })
}

/** Forgets what was written on an account that is closed. */
export async function forgetAnnotation(em: EntityManager, { id }: { id: string }): Promise<void> {
  for (const table of ['annotations', 'external_ids']) await em.execute(`delete from ${table} where user_id = ?`, [id])
}

/** Locks the thing against concurrent annotations. Returns its name for people. */
async function lock(em: EntityManager, kind: Annotated, id: string): Promise<string> {
  const { table, label, isGone, missing } = KINDS[kind]
  const [thing] = isId(id)
    ? await em.execute<{ label: string }[]>(
        `select ${label} as label from ${table} t where id = ? and not ${isGone} for no key update`,
        [id],
      )
    : []
  if (!thing) throw refuse('NOT_FOUND', missing)
  return thing.label
}

const inWords = ({ note, tags, externalIds }: Annotation) => ({
  note,
  tags: tags.join(', '),
  externalIds: externalIds.map(({ namespace, value }) => `${namespace}: ${value}`).join(', '),
})

async function write(em: EntityManager, kind: Annotated, id: string, { note, tags }: Annotation): Promise<void> {
  const { column } = KINDS[kind]
  const asArray = 'array(select jsonb_array_elements_text(?::jsonb))'
  await em.execute(
    `insert into annotations (${column}, note, tags, tag_keys) values (?, ?, ${asArray}, ${asArray})
     on conflict (${column}) do update set note = excluded.note, tags = excluded.tags, tag_keys = excluded.tag_keys`,
    [id, note, JSON.stringify(tags), JSON.stringify(tags.map(tagKey))],
  )
}

/** A unique index decides whether an external id is free, so that of two concurrent requests only one gets it. */
async function name(em: EntityManager, kind: Annotated, id: string, externalIds: readonly ExternalId[]): Promise<void> {
  const { table, column, label, isGone } = KINDS[kind]
  const asked = 'select namespace, value from jsonb_to_recordset(?::jsonb) as r(namespace text, value text)'
  const ids = JSON.stringify(externalIds)
  await em.execute(`delete from external_ids where ${column} = ?`, [id])
  await em.execute(
    `delete from external_ids e
     where e.${column} is not null and (e.namespace, e.value) in (${asked}) and (select ${isGone} from ${table} t where t.id = e.${column})`,
    [ids],
  )
  const written = await em.execute<{ namespace: string }[]>(
    `insert into external_ids (${column}, namespace, value) select ?, namespace, value from (${asked}) r
     order by namespace, value on conflict (namespace, value) where ${column} is not null do nothing returning namespace`,
    [id, ids],
  )
  if (written.length === externalIds.length) return
  const holders = await em.execute<{ namespace: string; label: string }[]>(
    `select e.namespace, ${label} as label from external_ids e join ${table} t on t.id = e.${column}
     where (e.namespace, e.value) in (${asked}) and t.id <> ?`,
    [ids, id],
  )
  throw new Refusal(
    externalIds.flatMap(({ namespace, value }, place) =>
      written.some(each => each.namespace === namespace)
        ? []
        : {
            code: 'EXTERNAL_ID_TAKEN',
            message: `${holders.find(each => each.namespace === namespace)?.label ?? 'Another'} has the id ${value} of ${namespace}.`,
            field: ['externalIds', String(place)],
          },
    ),
  )
}
