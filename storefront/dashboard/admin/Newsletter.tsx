import { styled } from 'styled-components'
import { asSignedIn } from '../../account/as-signed-in.ts'
import { may } from '../../account/may.ts'
import { useSession } from '../../account/session.ts'
import { fetchFile } from '../../data/download.ts'
import { DownloadButton } from '../../data/DownloadButton.tsx'
import { font, size, weight } from '../../theme/tokens.ts'
import { Block } from './Blocks.tsx'
import type { NewsletterFiguresFragment } from './Blocks.gql.ts'
import { spans } from './buckets.ts'

/** Addresses, and the links that take them off the list, for the program that writes the newsletter. */
async function loadSubscribers() {
  const list = await asSignedIn(token => fetchFile('/api/newsletter/subscribers.csv', token))
  return new File([list], 'newsletter-subscribers.csv', { type: 'text/csv' })
}

export function Newsletter({
  dashboard: { newsletterSignUps: now, newsletterSignUpsBefore: before, newsletterTotal: total, period },
}: {
  dashboard: NewsletterFiguresFragment
}) {
  const session = useSession()
  return (
    <Block id="newsletter" title="Newsletter">
      <p>
        <Big>{now.toLocaleString('en-US')}</Big> {now === 1 ? 'sign-up' : 'sign-ups'} in the {spans[period].last},{' '}
        {before.toLocaleString('en-US')} in the time before. {total.toLocaleString('en-US')}{' '}
        {total === 1 ? 'reader' : 'readers'} in all.
      </p>
      {may(session, 'READ_CUSTOMERS') && (
        <div>
          <DownloadButton load={loadSubscribers} disabledReason={total === 0 ? 'Nobody is on the list yet.' : null}>
            Download the list
          </DownloadButton>
        </div>
      )}
    </Block>
  )
}

const Big = styled.strong`
  font: ${weight.medium} ${size.xl} / 1 ${font.serif};
  font-variant-numeric: lining-nums tabular-nums;
`
