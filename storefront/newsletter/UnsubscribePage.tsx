import { LinkPage, LOST_PIECE } from '../account/LinkPage.tsx'
import { UnsubscribeDocument } from './UnsubscribePage.gql.ts'

/** Every newsletter links here for people who want no more of them. */
export default function UnsubscribePage() {
  return (
    <LinkPage
      document={UnsubscribeDocument}
      question={{
        title: 'Leave the newsletter?',
        lead: 'One press, and nothing more of it is sent to you.',
        yes: 'Take me off the list',
      }}
      done={() => ({
        title: 'You are off the list',
        lead: 'No more newsletters. Whatever we write about your orders still reaches you.',
      })}
      undone={{ why: LOST_PIECE }}
    />
  )
}
