import { useId, useState } from 'react'
import { styled } from 'styled-components'
import { useShopMutation } from '../../data/use-shop-mutation.ts'
import { color, measure, size } from '../../theme/tokens.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { notify } from '../../ui/toast.ts'
import { type ProductDownloadsFragment, SendNothingDocument } from './DownloadsPanel.gql.ts'

interface NothingSentProps {
  product: ProductDownloadsFragment
  onSaved: (product: ProductDownloadsFragment) => void
}

/** Whether a product is its downloads alone, and whether it is a gift card. Each answer is saved at once, and shown while it is. */
export function NothingSent({ product, onSaved }: NothingSentProps) {
  const [hintId, giftHintId] = [useId(), useId()]
  const [change] = useShopMutation(SendNothingDocument)
  const [wanted, setWanted] = useState<{ isDownload?: boolean; isGiftCard?: boolean } | null>(null)
  const { isDownload, isGiftCard } = { ...product, ...wanted }

  async function save(input: NonNullable<typeof wanted>, news: string) {
    if (wanted !== null) return
    setWanted(input)
    const payload = await change({ id: product.id, input })
    setWanted(null)
    if (!payload?.product) return
    onSaved(payload.product)
    notify.success(news)
  }

  return (
    <>
      <Checkbox
        label="Nothing else is sent: this product is its downloads alone"
        aria-describedby={hintId}
        checked={isDownload}
        onChange={({ target: { checked } }) =>
          void save(
            { isDownload: checked },
            checked ? 'Nothing is sent of this product.' : 'This product is sent. Please count its stock.',
          )
        }
      />
      <Quiet id={hintId}>
        Orders of it take no shipping, and it never runs out: its stock is not counted any more.
      </Quiet>
      {/* Only once that is saved, for one answer is saved after the other. */}
      {product.isDownload && isDownload && (
        <>
          <Checkbox
            label="It is a gift card: who buys it gets one over its price"
            aria-describedby={giftHintId}
            checked={isGiftCard}
            onChange={({ target: { checked } }) =>
              void save(
                { isGiftCard: checked },
                checked ? 'This product is a gift card.' : 'This product is no gift card any more.',
              )
            }
          />
          <Quiet id={giftHintId}>
            The code comes by email and on the order’s page. It is not taxed, for what it pays will be, and no discount
            code takes anything off it.
          </Quiet>
        </>
      )}
    </>
  )
}

export const Quiet = styled.p`
  max-width: ${measure.text};
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
