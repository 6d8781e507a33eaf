import type { TypedDocumentNode } from '@apollo/client'
import { useQuery } from '@apollo/client/react'
import { type FormEvent, useEffect, useState } from 'react'
import { styled } from 'styled-components'
import { ownerLimits } from '#schema/rules/owner-limits'
import { annotation } from '#schema/rules/shapes/annotation'
import { Panel } from '../../admin/AdminList.tsx'
import { useInvalidate } from '../../admin/use-invalidate.ts'
import { messageOf, type UserError } from '../../data/errors.ts'
import { issuesOf, useProblems } from '../../data/use-problems.ts'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, measure, size, space } from '../../theme/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { Cluster } from '../../ui/Cluster.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { notify } from '../../ui/toast.ts'
import {
  type AnnotatedOrderFragment,
  type AnnotatedProductFragment,
  type AnnotatedUserFragment,
  AnnotateOrderDocument,
  AnnotateProductDocument,
  AnnotateUserDocument,
  AnnotationDocument,
  type AnnotateOrderMutationVariables,
} from './AnnotationPanel.gql.ts'
import { type ExternalId, ExternalIdsField } from './ExternalIdsField.tsx'

type Thing = AnnotatedOrderFragment | AnnotatedProductFragment | AnnotatedUserFragment
type Annotate = TypedDocumentNode<Record<string, { userErrors: readonly UserError[] }>, AnnotateOrderMutationVariables>

const DOCUMENTS: Record<Thing['__typename'], Annotate> = {
  Order: AnnotateOrderDocument,
  Product: AnnotateProductDocument,
  User: AnnotateUserDocument,
}

interface AnnotationPanelProps {
  /** The id of an order, a product or an account. */
  id: string
  /** Called with whether there are unsaved changes, in which case the page asks before it is left. */
  onUnsaved: (unsaved: boolean) => void
}

/** What the shop notes about a thing for its own use. */
export default function AnnotationPanel({ id, onUnsaved }: AnnotationPanelProps) {
  const { data, error, loading, refetch } = useQuery(AnnotationDocument, { variables: { id } })
  const thing = data?.node
  return (
    <Panel aria-labelledby="annotation" data-print="hide">
      <h2 id="annotation">Note, tags and external ids</h2>
      {thing && thing.__typename !== 'Review' ? (
        <AnnotationForm key={id} thing={thing} onUnsaved={onUnsaved} />
      ) : error ? (
        <ErrorState onRetry={() => void refetch()} retrying={loading}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <Skeleton $height="12rem" />
      )}
    </Panel>
  )
}

interface Typed {
  note: string
  tags: string
  externalIds: ExternalId[]
}

const typedOf = ({ note, tags, externalIds }: Thing): Typed => ({
  note,
  tags: tags.join(', '),
  externalIds: externalIds.map(({ namespace, value }) => ({ namespace, value })),
})

/** The mutation's input: what was typed, without blank tags and ids. */
const inputOf = ({ note, tags, externalIds }: Typed) => ({
  note,
  tags: tags.split(',').filter(tag => tag.trim() !== ''),
  externalIds: externalIds.filter(({ namespace, value }) => (namespace + value).trim() !== ''),
})

function AnnotationForm({ thing, onUnsaved }: { thing: Thing } & Pick<AnnotationPanelProps, 'onUnsaved'>) {
  const stored = typedOf(thing)
  const [typed, setTyped] = useState<Typed | null>(null)
  const { form, problems, show } = useProblems(nameOf)
  const [annotate, { loading }] = useShopMutation(DOCUMENTS[thing.__typename])
  const invalidate = useInvalidate()
  const shown = typed ?? stored
  const unsaved = typed !== null && JSON.stringify(typed) !== JSON.stringify(stored)
  useEffect(() => onUnsaved(unsaved), [unsaved, onUnsaved])

  function change(part: Partial<Typed>) {
    show([])
    setTyped({ ...shown, ...part })
  }

  async function save(event: FormEvent) {
    event.preventDefault()
    const input = inputOf(shown)
    setTyped({ ...shown, externalIds: input.externalIds })
    if (show(issuesOf(annotation, input))) return
    const payload = await annotate({ id: thing.id, input }, { onRefused: ({ userErrors }) => show(userErrors) })
    if (!payload) return
    setTyped(null)
    invalidate('auditLog')
    notify.success('Note, tags and external ids saved.')
  }

  return (
    <Form ref={form} onSubmit={event => void save(event)} noValidate aria-labelledby="annotation">
      <TextArea
        label="Note"
        hint={
          thing.__typename === 'Product'
            ? 'Shoppers never see it.'
            : 'The shop never shows it; whoever asks for a copy of their data gets it, too.'
        }
        rows={3}
        maxLength={ownerLimits.note}
        value={shown.note}
        error={problems['note']}
        onChange={event => change({ note: event.target.value })}
      />
      <TextField
        label="Tags"
        hint="Separated by commas"
        autoComplete="off"
        value={shown.tags}
        error={problems['tags']}
        onChange={event => change({ tags: event.target.value })}
      />
      <ExternalIdsField ids={shown.externalIds} problems={problems} onChange={externalIds => change({ externalIds })} />
      <Cluster $gap={3}>
        <Button type="submit" loading={loading}>
          Save notes
        </Button>
        {unsaved && !loading && <Quiet>Not saved yet</Quiet>}
      </Cluster>
    </Form>
  )
}

/** All tags are one field. */
const nameOf = (field: readonly string[]) => (field[0] === 'tags' ? 'tags' : field.join('.'))

const Form = styled.form`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[4]};
  max-width: ${measure.text};
`
const Quiet = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
