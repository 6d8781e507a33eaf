import type { ComponentProps } from 'react'
import { type To, useHref, useLinkClickHandler } from 'react-router-dom'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To
  replace?: boolean | undefined
  state?: unknown
  preventScrollReset?: boolean | undefined
}

/** A link to a page of the shop. The router's own does much more for each of a page's hundred links, and weighs more. */
export function Link({ to, replace, state, preventScrollReset, onClick, children, ...attributes }: LinkProps) {
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, {
    target: attributes.target,
    replace,
    state,
    preventScrollReset,
  })
  return (
    <a
      {...attributes}
      href={useHref(to)}
      onClick={event => {
        onClick?.(event)
        if (!event.defaultPrevented) follow(event)
      }}
    >
      {children}
    </a>
  )
}
