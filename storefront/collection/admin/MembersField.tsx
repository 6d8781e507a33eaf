import { useQuery } from '@apollo/client/react'
import { useId, useState } from 'react'
import { styled } from 'styled-components'
import { ProductFinder } from '../../admin/ProductFinder.tsx'
import { moved, MoveButtons, OrderedList } from '../../admin/ordered.tsx'
import { messageOf } from '../../data/errors.ts'
import { paths } from '../../paths.ts'
import { color, size, space } from '../../theme/tokens.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Link } from '../../ui/Link.tsx'
import { TrashIcon } from '../../ui/page-icons.tsx'
import { Picture } from '../../ui/Picture.tsx'
import { Problem } from '../../ui/Problem.tsx'
import { type CollectionMemberFragment, FindProductsDocument } from './Collections.gql.ts'

interface MembersFieldProps {
  /** Products whose names are known already. */
  known: readonly CollectionMemberFragment[]
  /** Their ids, in their order. */
  value: readonly string[]
  onChange: (ids: string[]) => void
  error: string | undefined
}

/** The products of a collection: found by name, put in order, and taken out. */
export function MembersField({ known, value, onChange, error }: MembersFieldProps) {
  const problemId = useId()
  const [chosen, setChosen] = useState(known)
  const members = value.flatMap(id => chosen.find(each => each.id === id) ?? [])
  return (
    <Field role="group" aria-labelledby={`${problemId}-label`} aria-describedby={error && problemId}>
      <h2 id={`${problemId}-label`}>Products</h2>
      {members.length === 0 ? (
        <p>None yet. Shoppers see them in the order in which they stand here.</p>
      ) : (
        <OrderedList aria-label="Products of the collection, in their order">
          {members.map(({ id, name, image, isDraft }, place) => (
            <li key={id}>
              <Thumb src={image} alt="" sizes="40px" />
              <Link to={paths.adminProduct(id)}>{name}</Link>
              {isDraft && <small>Draft</small>}
              <span>
                <MoveButtons
                  label={name}
                  place={place}
                  of={members.length}
                  onMove={to => onChange(moved(value, place, to))}
                />
                <IconButton
                  size="sm"
                  label={`Remove ${name}`}
                  onClick={() => onChange(value.filter(each => each !== id))}
                >
                  <TrashIcon size={16} />
                </IconButton>
              </span>
            </li>
          ))}
        </OrderedList>
      )}
      {error && <Problem id={problemId}>{error}</Problem>}
      <AddMember
        there={value}
        onAdd={product => {
          setChosen(before => [...before.filter(({ id }) => id !== product.id), product])
          onChange([...value, product.id])
        }}
      />
    </Field>
  )
}

function AddMember({ there, onAdd }: { there: readonly string[]; onAdd: (product: CollectionMemberFragment) => void }) {
  const [search, setSearch] = useState('')
  const { data, error, loading } = useQuery(FindProductsDocument, { variables: { search } })
  const found = (data?.adminProducts.items ?? []).filter(({ id }) => !there.includes(id))
  return (
    <ProductFinder
      added={there.length}
      found={found}
      searching={loading}
      failure={error ? messageOf(error) : null}
      onSearch={setSearch}
      onAdd={onAdd}
    />
  )
}

const Field = styled.div`
  display: grid;
  gap: ${space[3]};
  h2 {
    font-size: ${size.lg};
  }
  > p {
    color: ${color.textQuiet};
  }
`
const Thumb = styled(Picture)`
  flex: none;
  width: 2.5rem;
`
