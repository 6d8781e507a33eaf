import { LinkPage, LOST_PIECE } from '../account/LinkPage.tsx'
import { StopBellsDocument } from './StopBellsPage.gql.ts'

/** The page that the emails link to for stopping them. */
export default function StopBellsPage() {
  return (
    <LinkPage
      document={StopBellsDocument}
      question={{
        title: 'Wait for nothing any more?',
        lead: 'One press, and no email comes when something is back.',
        yes: 'Take it all back',
      }}
      done={() => ({
        title: 'No more of these emails',
        lead: 'You wait for nothing any more. Whatever we write about your orders still reaches you.',
      })}
      undone={{ why: LOST_PIECE }}
    />
  )
}
