import { Money } from '../ui/Money.tsx'

interface Shipping {
  shippingPrice: number
  isPickup: boolean
  /** Whether there is nothing to send. */
  isDownload?: boolean | undefined
}

/** What sending costs, where something is sent. */
export const shippingRows = ({ shippingPrice, isPickup, isDownload }: Shipping) =>
  isDownload
    ? []
    : [
        {
          label: isPickup ? 'Pickup' : 'Shipping',
          value: shippingPrice === 0 ? 'Free' : <Money cents={shippingPrice} />,
        },
      ]
