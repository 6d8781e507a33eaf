import { type ComponentProps, type ComponentType, createContext, type ElementType, use } from 'react'
import { preload } from 'react-dom'

/** The HTML of a component for some facts, which the server keeps from one page to the next. */
export type Keep = <Facts extends object>(Content: ComponentType<Facts>, facts: Facts) => { __html: string }

/** Only set on the server. */
export const KeepContext = createContext<Keep | null>(null)

/** Announces in the head what the page shows first. */
export const PreloadContext = createContext(preload)

type KeptProps<Element extends ElementType, Facts extends object> = Omit<ComponentProps<Element>, 'children'> & {
  as: Element
  of: ComponentType<Facts>
  facts: Facts
}

/**
 * An element with a component inside, which the server renders once for the same facts. The component may show nothing
 * but those: no data of its own, no address, no ids that React makes. Functions among the facts only handle events.
 */
export function Kept<Element extends ElementType, Facts extends object>({
  as,
  of: Content,
  facts,
  ...attributes
}: KeptProps<Element, Facts>) {
  const Outer: ElementType = as
  const keep = import.meta.env.SSR ? use(KeepContext) : null
  return keep ? (
    <Outer {...attributes} dangerouslySetInnerHTML={keep(Content, facts)} />
  ) : (
    <Outer {...attributes}>
      <Content {...facts} />
    </Outer>
  )
}
