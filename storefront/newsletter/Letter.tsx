import { styled } from 'styled-components'
import { FIRST_ORDER_CODE } from '#schema/rules/discount'
import { color, font, size, space } from '../theme/tokens.ts'
import { useOffer } from './offer.ts'

// SPEC §4.
export const WELCOME = "You're In!"
export const codeWords = (offer: string | null) =>
  `Welcome to the circle.${offer ? ` Here is your code for ${offer} your first order:` : ''}`

/** What somebody who signed up reads about the newsletter. */
export interface Asked {
  email: string
  /** Where the letter can be read, in a shop that shows its mails. */
  mailbox?: string | null | undefined
  /** Why there is no letter. */
  trouble?: string
}

export const WelcomeCode = () => useOffer() && <Code>{FIRST_ORDER_CODE}</Code>

export function Letter({ email, mailbox, trouble }: Asked) {
  const offer = useOffer()
  if (trouble)
    return (
      <How role="status">
        The email to {email} could not be sent: {trouble}
      </How>
    )
  return (
    <How role="status">
      To be on the list, press the link in the email we are sending to <strong>{email}</strong>.
      {offer && ` Then another one brings a code of your own, for ${offer} one more order.`}
      {mailbox && (
        <>
          {' '}
          This is a demonstration: <a href={mailbox}>read the email here</a>.
        </>
      )}
    </How>
  )
}

const Code = styled.p`
  padding: ${space[4]};
  background: ${color.band};
  font: ${size.h2} / 1 ${font.serif};
  letter-spacing: 0.08em;
  text-align: center;
  user-select: all;
`
const How = styled.p`
  margin-top: ${space[4]};
  overflow-wrap: anywhere;
`
