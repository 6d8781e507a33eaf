import { type KeyboardEvent, useRef } from 'react'
import { useNavigate } from 'react-router-dom'
import { css, styled } from 'styled-components'
import { variantName } from '#schema/rules/variant-name'
import { useHydrated } from '../data/stored.ts'
import { paths } from '../paths.ts'
import { color, control, motion, radius, size, space, weight } from '../theme/tokens.ts'
import { Link } from '../ui/Link.tsx'
import { Picture } from '../ui/Picture.tsx'
import type { VariantsFragment } from './Variants.gql.ts'

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/**
 * All colourways, or sizes, as links to their pages. With our script, arrow keys go from one to the next as among radio
 * buttons: the tab key stops only at the chosen one, and Go Back skips the others that were looked at.
 */
export function Variants({ product }: { product: VariantsFragment }) {
  const list = useRef<HTMLUListElement>(null)
  const navigate = useNavigate()
  const scripted = useHydrated()
  if (!product.group || product.group.products.length < 2) return null
  const { name: group, variesBy, products } = product.group
  const hasColours = variesBy === 'COLOUR'

  function move(event: KeyboardEvent) {
    const links = [...(list.current?.querySelectorAll('a') ?? [])]
    const at = links.indexOf(event.target as HTMLAnchorElement)
    const step = STEPS[event.key]
    if (at === -1 || step === undefined) return
    event.preventDefault()
    const to = (at + step + links.length) % links.length
    const next = products[to]
    links[to]?.focus()
    if (next) void navigate(paths.product(next.id, next.name), STAYING)
  }

  return (
    <nav aria-label={hasColours ? 'Colourways' : 'Sizes'}>
      <Chosen aria-hidden="true">
        {hasColours ? 'Colourway' : 'Size'}: <strong>{variantName(product.name, group)}</strong>
      </Chosen>
      <List ref={list} onKeyDown={move} $wide={!hasColours}>
        {products.map(({ id, name, image, countInStock, expectedOn }) => (
          <li key={id}>
            <Choice
              as={Link}
              to={paths.product(id, name)}
              {...STAYING}
              aria-current={id === product.id ? 'page' : undefined}
              tabIndex={scripted && id !== product.id ? -1 : undefined}
              $hasPicture={hasColours}
              $gone={countInStock === 0}
            >
              {hasColours && <Picture src={image} alt="" sizes="80px" />}
              <span>{variantName(name, group)}</span>
              {countInStock === 0 ? <small>Sold out</small> : expectedOn && <small>Pre-order</small>}
            </Choice>
          </li>
        ))}
      </List>
    </nav>
  )
}

const STAYING = { replace: true, preventScrollReset: true, state: { keepsPlace: true } }

const Chosen = styled.p`
  margin-bottom: ${space[2]};
  font-size: ${size.sm};
  color: ${color.textQuiet};
  strong {
    font-weight: ${weight.medium};
    color: ${color.text};
  }
`
const List = styled.ul<{ $wide: boolean }>`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(${({ $wide }) => ($wide ? '6.5rem' : '5rem')}, 1fr));
  gap: ${space[2]};
  padding: 0;
  list-style: none;
`
const Choice = styled.a<{ $hasPicture: boolean; $gone: boolean }>`
  position: relative;
  display: flex;
  flex-direction: column;
  justify-content: flex-start;
  height: 100%;
  min-height: ${control.md};
  padding: ${({ $hasPicture }) => ($hasPicture ? space[1] : space[2])};
  border: 1px solid ${color.line};
  border-radius: ${radius.md};
  font-size: ${size.xs};
  line-height: 1.25;
  text-align: center;
  text-decoration: none;
  overflow-wrap: anywhere;
  transition: border-color ${motion.fast};
  &:hover {
    border-color: ${color.lineStrong};
  }
  &[aria-current] {
    border-color: ${color.text};
    box-shadow: inset 0 0 0 1px ${color.text};
    font-weight: ${weight.medium};
  }
  small {
    font-size: inherit;
    font-weight: ${weight.regular};
    color: ${color.textQuiet};
  }
  ${({ $hasPicture }) =>
    !$hasPicture &&
    css`
      justify-content: center;
      font-size: ${size.sm};
    `}
  ${({ $gone }) =>
    $gone &&
    css`
      color: ${color.textQuiet};
      border-style: dashed;
      img {
        opacity: 0.45;
      }
    `}
`
