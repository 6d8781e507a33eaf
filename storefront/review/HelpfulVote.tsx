import { useShopMutation } from '../data/use-shop-mutation.ts'
import { TextButton } from '../ui/TextButton.tsx'
import { MarkReviewHelpfulDocument } from './HelpfulVote.gql.ts'

interface HelpfulVoteProps {
  review: { id: string; name: string }
  /** Whether it is marked so now. */
  isMarked: boolean
}

/** For signed-in people, under a review that is not their own. */
export default function HelpfulVote({ review: { id, name }, isMarked }: HelpfulVoteProps) {
  const [mark, { loading }] = useShopMutation(MarkReviewHelpfulDocument)
  const words = isMarked ? 'You found it helpful' : 'Helpful'
  return (
    <TextButton
      aria-label={`${words}: review by ${name}`}
      aria-pressed={isMarked}
      disabled={loading}
      onClick={() => void mark({ id, helpful: !isMarked })}
    >
      {words}
    </TextButton>
  )
}
