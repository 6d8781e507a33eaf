import { useQuery } from '@apollo/client/react'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { styled } from 'styled-components'
import { encode } from 'uqr'
import { messageOf } from '../data/errors.ts'
import { type OnRefused, useShopMutation } from '../data/use-shop-mutation.ts'
import { showRefusals } from '../data/forms.ts'
import { safeRedirect } from '../paths.ts'
import { color, radius, space } from '../theme/tokens.ts'
import { notify } from '../ui/toast.ts'
import { Button } from '../ui/Button.tsx'
import { Cluster } from '../ui/Cluster.tsx'
import { CopyBox } from '../ui/CopyBox.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { CodeField, PasswordField } from '../ui/TextField.tsx'
import {
  BeginSecondFactorDocument,
  ConfirmSecondFactorDocument,
  DisableSecondFactorDocument,
  OwnSecondFactorDocument,
  RenewRecoveryCodesDocument,
} from './SecondFactorSection.gql.ts'

type Step =
  | { at: 'rest' }
  | { at: 'begin' | 'disable' | 'renew' }
  | { at: 'confirm'; secret: string; uri: string }
  | { at: 'codes'; codes: readonly string[] }

/** Where an administrator sets up, renews and turns off the second factor. */
export default function SecondFactorSection() {
  const { data, error, loading, refetch } = useQuery(OwnSecondFactorDocument, { fetchPolicy: 'cache-and-network' })
  const [step, setStep] = useState<Step>({ at: 'rest' })
  const [begin] = useShopMutation(BeginSecondFactorDocument)
  const [confirm] = useShopMutation(ConfirmSecondFactorDocument)
  const [disable] = useShopMutation(DisableSecondFactorDocument)
  const [renew] = useShopMutation(RenewRecoveryCodesDocument)
  const rest = () => setStep({ at: 'rest' })
  const navigate = useNavigate()
  // The admin page that cannot be opened without a second factor.
  const redirect = useSearchParams()[0].get('redirect')
  const back = redirect && safeRedirect(redirect)
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (back) section.current?.focus()
  }, [back])

  async function sendBegin({ password }: Proof, onRefused: OnRefused) {
    const payload = await begin({ password }, { onRefused })
    if (payload?.secret && payload.uri) setStep({ at: 'confirm', secret: payload.secret, uri: payload.uri })
  }

  async function sendConfirm({ code }: Proof, onRefused: OnRefused) {
    const payload = await confirm({ code }, { onRefused })
    if (!payload) return
    setStep({ at: 'codes', codes: payload.recoveryCodes })
    void refetch()
  }

  async function sendDisable(proof: Proof, onRefused: OnRefused) {
    if (!(await disable(proof, { onRefused }))) return
    rest()
    void refetch()
    notify.success('Your second factor is off.')
  }

  async function sendRenew(proof: Proof, onRefused: OnRefused) {
    const payload = await renew(proof, { onRefused })
    if (payload) setStep({ at: 'codes', codes: payload.recoveryCodes })
  }

  return (
    <Section ref={section} tabIndex={-1} aria-labelledby="second-factor">
      <h2 id="second-factor">Second factor</h2>
      {back && data?.viewer?.hasSecondFactor === false && (
        <Notice variant="warning">
          This shop asks its administrators for a second factor. Please set yours up: then you go on where you were.
        </Notice>
      )}
      {step.at === 'begin' && (
        <ProofForm key="begin" asks={['password']} action="Continue" send={sendBegin} onCancel={rest} />
      )}
      {step.at === 'confirm' && (
        <>
          <p>Scan this with an authenticator app, or give it the key by hand. Then enter the code it shows.</p>
          <QrCode text={step.uri} />
          <CopyBox label="Key" text={step.secret} />
          <ProofForm key="confirm" asks={['code']} action="Turn on" send={sendConfirm} onCancel={rest} />
        </>
      )}
      {step.at === 'codes' && (
        <>
          <Notice variant="success">
            Your second factor is on. Keep these recovery codes where you find them without your phone: each signs in
            once, and they are shown only now.
          </Notice>
          <CopyBox label="Recovery codes" text={step.codes.join('\n')} />
          <Button onClick={() => (back ? void navigate(back, { replace: true }) : rest())}>I have kept them</Button>
        </>
      )}
      {step.at === 'disable' && (
        <ProofForm
          key="disable"
          asks={['password', 'code']}
          action="Turn off"
          danger
          send={sendDisable}
          onCancel={rest}
        />
      )}
      {step.at === 'renew' && (
        <ProofForm key="renew" asks={['password', 'code']} action="Make new codes" send={sendRenew} onCancel={rest} />
      )}
      {step.at === 'rest' &&
        (data ? (
          <AtRest isOn={data.viewer?.hasSecondFactor === true} back={back} onStep={at => setStep({ at })} />
        ) : error ? (
          <ErrorState onRetry={() => void refetch()} retrying={loading}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Skeleton $height="3rem" />
        ))}
    </Section>
  )
}

/** Whether the account has a second factor, and what can be done about it. */
function AtRest({
  isOn,
  back,
  onStep,
}: {
  isOn: boolean
  back: string | null
  onStep: (at: 'begin' | 'disable' | 'renew') => void
}) {
  return isOn ? (
    <>
      <p>On: signing in takes a code from your authenticator app beside your password.</p>
      {back && <Link to={back}>Go on where you were</Link>}
      <Cluster>
        <Button variant="quiet" onClick={() => onStep('renew')}>
          New recovery codes
        </Button>
        <Button variant="danger" onClick={() => onStep('disable')}>
          Turn off
        </Button>
      </Cluster>
    </>
  ) : (
    <>
      <p>Off. With it, whoever learns your password still cannot sign in without your authenticator app.</p>
      <Button variant="quiet" onClick={() => onStep('begin')}>
        Set up
      </Button>
    </>
  )
}

interface Proof {
  password: string
  code: string
}

interface ProofFormProps {
  asks: readonly (keyof Proof)[]
  action: string
  danger?: boolean
  send: (proof: Proof, onRefused: OnRefused) => Promise<void>
  onCancel: () => void
}

function ProofForm({ asks, action, danger, send, onCancel }: ProofFormProps) {
  const form = useForm<Proof>({ defaultValues: { password: '', code: '' } })
  const { errors, isSubmitting } = form.formState

  async function submit(proof: Proof) {
    await send(proof, ({ userErrors }) => showRefusals(form, userErrors))
  }

  return (
    <Stack as="form" method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      {asks.includes('password') && (
        <PasswordField
          {...form.register('password', { required: 'Password is required.' })}
          label="Your password"
          error={errors.password?.message}
        />
      )}
      {asks.includes('code') && (
        <CodeField
          {...form.register('code', { required: 'Please enter the code.' })}
          inputMode={asks.length === 1 ? 'numeric' : 'text'}
          hint={asks.length === 1 ? 'Six figures.' : 'From the app, or a recovery code.'}
          error={errors.code?.message}
        />
      )}
      <Cluster>
        <Button type="submit" variant={danger ? 'danger' : undefined} loading={isSubmitting}>
          {action}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </Cluster>
    </Stack>
  )
}

/** Dark on light in both themes: cameras do not read inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 3 })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <Qr
      role="img"
      aria-label="QR code for an authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </Qr>
  )
}

const Section = styled.section`
  display: grid;
  justify-items: start;
  gap: ${space[4]};
  padding-top: ${space[5]};
  border-top: 1px solid ${color.line};
  > * {
    max-width: 100%;
  }
  > form,
  > div {
    width: 100%;
  }
`
const Qr = styled.svg`
  width: 14rem;
  border-radius: ${radius.md};
`
