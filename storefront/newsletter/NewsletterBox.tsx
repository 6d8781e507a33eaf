import { type FormEvent, lazy, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { createGlobalStyle, styled } from 'styled-components'
import { EMAIL_PATTERN, limits } from '#schema/rules/limits'
import { FALLBACK_MESSAGE, messageOf } from '../data/errors.ts'
import { useShopMutation } from '../data/use-shop-mutation.ts'
import { paths } from '../paths.ts'
import { color, from, measure, space } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Part } from '../ui/Part.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { Asked } from './Letter.tsx'
import { useOffer } from './offer.ts'
import { SubscribeDocument } from './Subscribe.gql.ts'

// Fetched when somebody begins to type.
const fetchDialog = () => import('./WelcomeDialog.tsx')
const WelcomeDialog = lazy(fetchDialog)

/** Where the #newsletter address leads. */
export function NewsletterBox() {
  const box = useSmoothHash('newsletter')
  const offer = useOffer()
  const [email, setEmail] = useState('')
  const [isIn, setIsIn] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [subscribe] = useShopMutation(SubscribeDocument, { asVisitor: true })

  const join = (event: FormEvent) => {
    event.preventDefault()
    const address = email.trim()
    if (!EMAIL_PATTERN.test(address)) {
      notify.warning('Please enter a valid email address.', {
        position: 'bottom-center',
        duration: 3000,
      })
      return
    }
    // The thanks do not wait for the server. SPEC §4, DESIGN §3.
    setAsked({ email: address })
    void subscribe(
      { email: address },
      {
        onRefused: ({ userErrors: [refusal] }) =>
          setAsked({ email: address, trouble: refusal?.message ?? FALLBACK_MESSAGE }),
        onFailed: error => setAsked({ email: address, trouble: messageOf(error) }),
      },
    ).then(payload => payload && setAsked({ email: address, mailbox: payload.mailbox }))
    setIsIn(true)
    setEmail('')
  }

  return (
    <Box id="newsletter" ref={box} tabIndex={-1} aria-labelledby="newsletter-title">
      <GlideThere />
      <div>
        <h2 id="newsletter-title">{offer ? `${offer} your first order` : 'News from the shelves'}</h2>
        <p>
          {`One email a month: new colourways, patterns worth your evenings${offer ? `, and a code for ${offer} to start with` : ''}.`}
        </p>
      </div>
      <Form method="post" action={paths.newsletterForm()} noValidate onSubmit={join}>
        <TextField
          label="Email address"
          required
          type="email"
          name="email"
          autoComplete="email"
          maxLength={limits.email}
          value={email}
          onChange={event => setEmail(event.target.value)}
          onFocus={() => void Promise.all([fetchDialog(), import('../ui/DialogPanel.tsx')])}
        />
        <Button type="submit">Sign me up</Button>
      </Form>
      {asked && (
        <Part>
          <WelcomeDialog open={isIn} onOpenChange={setIsIn} asked={asked} />
        </Part>
      )}
    </Box>
  )
}

/** Scrolls smoothly to the element when the address names it, again on every press of such a link. */
function useSmoothHash(id: string) {
  const element = useRef<HTMLElement>(null)
  const location = useLocation()
  // The router's <ScrollRestoration> jumps to what the address names, in a layout effect after this one. Making that
  // jump smooth keeps it from arriving before the smooth scrolling below starts.
  useLayoutEffect(() => {
    if (location.hash !== `#${id}`) return
    const { style } = document.documentElement
    style.scrollBehavior = 'smooth'
    return () => void style.removeProperty('scroll-behavior')
  }, [location, id])
  useEffect(() => {
    if (location.hash !== `#${id}`) return
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    element.current?.scrollIntoView({ behavior: still ? 'auto' : 'smooth', block: 'center' })
    document.documentElement.style.removeProperty('scroll-behavior')
    // Runs after app/Root.tsx, which moves the focus to the whole page.
    queueMicrotask(() => element.current?.focus({ preventScroll: true }))
  }, [location, id])
  return element
}

/** For a document opened at the address: the browser goes there before any program runs. */
const GlideThere = createGlobalStyle`
  html:has(#newsletter:target) { scroll-behavior: smooth; }
`
const Box = styled.section`
  display: grid;
  gap: ${space[5]};
  padding: ${space[6]} ${space[5]};
  background: ${color.band};
  h2 + p {
    max-width: ${measure.narrow};
    margin-top: ${space[2]};
    color: ${color.textQuiet};
  }
  ${from.desktop} {
    grid-template-columns: 1fr 1fr;
    align-items: end;
    padding: ${space[7]};
  }
`
const Form = styled.form`
  display: grid;
  gap: ${space[3]};
  ${from.tablet} {
    grid-template-columns: 1fr auto;
    align-items: end;
  }
`
