import { useLocation, useNavigate } from 'react-router-dom'
import { styled } from 'styled-components'
import { useSession } from '../account/session.ts'
import { paths } from '../paths.ts'
import { color } from '../theme/tokens.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { HeartIcon } from '../ui/icons.tsx'
import { onlyWithScript } from '../ui/NeedsScript.tsx'
import { useStash, useStashed } from './use-stash.ts'
import { wish } from './wish.ts'

interface StashHeartProps {
  productId: string
  productName: string
  className?: string
}

/** Puts a product into the stash, or takes it out. Visitors sign in first; the product is in the stash when they are back. */
export function StashHeart({ productId, productName, className }: StashHeartProps) {
  const session = useSession()
  const isIn = useStashed()?.some(item => item.productId === productId) ?? false
  const { put, take } = useStash()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()

  function press() {
    if (session) return void (isIn ? take : put)(productId)
    wish.set({ productId, name: productName, at: Date.now() })
    void navigate(paths.login(pathname + search))
  }

  return (
    <Heart
      className={className}
      label={`${productName}: in my stash`}
      title={isIn ? 'Take out of my stash' : 'Put into my stash'}
      aria-pressed={isIn}
      onClick={press}
    >
      <HeartIcon size={22} />
    </Heart>
  )
}

const Heart = styled(IconButton)`
  ${onlyWithScript}
  &[aria-pressed='true'] svg {
    fill: currentcolor;
    color: ${color.accent};
  }
`
