import { useEffect, useRef } from 'react'
import { styled } from 'styled-components'
import { paths } from '../paths.ts'
import { CountMark, iconButtonLook } from '../ui/IconButton.tsx'
import { HeartIcon } from '../ui/icons.tsx'
import { Link } from '../ui/Link.tsx'
import { notify } from '../ui/toast.ts'
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx'
import { useStash, useStashed } from './use-stash.ts'
import { type Wish, wish } from './wish.ts'

/** The link in the header for signed-in people. */
export default function StashLink() {
  const count = useStashed()?.length ?? 0
  useWish()
  return (
    <IconLink to={paths.stash()} title="Stash">
      <HeartIcon />
      <VisuallyHidden>Stash, {count === 1 ? '1 product' : `${count} products`}</VisuallyHidden>
      {count > 0 && <CountMark aria-hidden="true">{count}</CountMark>}
    </IconLink>
  )
}

/** Adds the product wanted before signing in. If the request does not get through, the next visit tries again. */
function useWish() {
  const wanted = wish.use()
  const tried = useRef(false)
  const { put } = useStash()
  useEffect(() => {
    if (!wanted || tried.current) return
    tried.current = true
    void keep(wanted)
    async function keep({ productId, name }: Wish) {
      const isIn = await put(productId, {
        onRefused: ({ userErrors: [refusal] }) => {
          wish.set(null)
          if (refusal) notify.error(refusal.message)
        },
      })
      if (!isIn) return
      wish.set(null)
      notify.success(`“${name}” is in your stash.`)
    }
  }, [wanted, put])
}

const IconLink = styled(Link)<{ $size?: 'sm' | 'md' }>`
  ${iconButtonLook}
`
