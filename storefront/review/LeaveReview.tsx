import { useQuery } from '@apollo/client/react'
import { lazy, useState } from 'react'
import { styled } from 'styled-components'
import { useSession } from '../account/session.ts'
import { paths } from '../paths.ts'
import { control, font, size } from '../theme/tokens.ts'
import { Button } from '../ui/Button.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Part } from '../ui/Part.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { ViewerReviewDocument } from './ViewerReview.gql.ts'

const ReviewDialog = lazy(() => import('./ReviewDialog.tsx'))

/** What a shopper can do about reviews: sign in first, write one, or be thanked. */
export function LeaveReview({ productId, productName }: { productId: string; productName: string }) {
  const session = useSession()
  return session ? (
    <SignedIn productId={productId} productName={productName} />
  ) : (
    <LinkButton as={Link} to={paths.login(paths.product(productId, productName))} $variant="quiet">
      Please login to write a review
    </LinkButton>
  )
}

function SignedIn({ productId, productName }: { productId: string; productName: string }) {
  const { data, loading } = useQuery(ViewerReviewDocument, { variables: { id: productId } })
  const [open, setOpen] = useState(false)
  const [used, setUsed] = useState(false)
  const reviewed = data?.product?.viewerReview != null

  return (
    <>
      {reviewed ? (
        <Thanks role="status">Thanks for leaving feedback!</Thanks>
      ) : loading && !data ? (
        <Skeleton $width="15rem" $height={control.md} />
      ) : (
        <Button
          variant="quiet"
          onClick={() => {
            setUsed(true)
            setOpen(true)
          }}
        >
          Write a customer review
        </Button>
      )}
      {used && (
        <Part>
          <ReviewDialog open={open} onOpenChange={setOpen} productId={productId} productName={productName} />
        </Part>
      )}
    </>
  )
}

const Thanks = styled.p`
  font: ${size.lg} / 1.4 ${font.serif};
  font-style: italic;
`
