import { styled } from 'styled-components'
import type { SetupStepCode } from '../../generated/types.ts'
import { paths } from '../../paths.ts'
import { color, from, size, space, weight } from '../../theme/tokens.ts'
import { Fold } from '../../ui/Fold.tsx'
import { CheckIcon, ChevronDownIcon } from '../../ui/icons.tsx'
import { Link } from '../../ui/Link.tsx'
import { VisuallyHidden } from '../../ui/VisuallyHidden.tsx'
import type { SetupStepFragment } from './SetupSteps.gql.ts'

/** What each is called, and where it is done when that is a page. */
const STEPS: Record<SetupStepCode, { title: string; page?: { label: string; path: string } }> = {
  PAYMENTS: { title: 'Take real payments' },
  MAIL: { title: 'Send mails' },
  ADDRESS: { title: 'Give the shop its address' },
  NAME: { title: 'Give it a name' },
  CONTACT: { title: 'Say who and where you are' },
  TAX: { title: 'Say how orders are taxed' },
  PRODUCTS: { title: 'Put something on the shelf', page: { label: 'Products', path: paths.adminProducts() } },
  PAGES: { title: 'Write your own pages', page: { label: 'Pages', path: paths.adminPages() } },
  DEMO_ACCOUNTS: { title: 'Delete the sample’s accounts', page: { label: 'Users', path: paths.adminUsers() } },
  SECOND_FACTOR: { title: 'Guard how you sign in', page: { label: 'Your profile', path: paths.profile() } },
}

/** What there is to see to before the shop sells in earnest. Nothing once all of it is done. */
export function SetupSteps({ steps, isNew }: { steps: readonly SetupStepFragment[]; isNew: boolean }) {
  const done = steps.filter(({ problem }) => problem === null).length
  if (done === steps.length) return null
  return (
    <Fold open={isNew}>
      <summary>
        <Title>Before you sell in earnest</Title>
        <small>
          {done} of {steps.length} done
        </small>
        <ChevronDownIcon size={18} />
      </summary>
      <Steps>
        {steps.map(step => (
          <Step key={step.code} step={step} />
        ))}
      </Steps>
    </Fold>
  )
}

function Step({ step: { code, problem, settings } }: { step: SetupStepFragment }) {
  const { title, page } = STEPS[code]
  if (problem === null)
    return (
      <Item $done>
        <CheckIcon size={18} />
        <h3>
          {title} <VisuallyHidden>(done)</VisuallyHidden>
        </h3>
      </Item>
    )
  return (
    <Item $done={false}>
      <Ring aria-hidden />
      <div>
        <h3>{title}</h3>
        <p>{problem}</p>
        <p>{page ? <Link to={page.path}>{page.label}</Link> : <code>{settings.join(', ')}</code>}</p>
      </div>
    </Item>
  )
}

const Title = styled.h2`
  font-size: ${size.lg};
`
const Steps = styled.ol`
  display: grid;
  gap: ${space[4]} ${space[6]};
  margin: 0;
  padding: ${space[2]} 0 ${space[5]};
  list-style: none;
  ${from.desktop} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`
const Item = styled.li<{ $done: boolean }>`
  display: grid;
  grid-template-columns: 18px minmax(0, 1fr);
  gap: ${space[3]};
  color: ${({ $done }) => ($done ? color.textQuiet : color.text)};
  h3 {
    font-size: ${size.md};
    font-weight: ${({ $done }) => ($done ? weight.regular : weight.strong)};
  }
  p {
    font-size: ${size.sm};
  }
  code {
    color: ${color.textQuiet};
    font-size: ${size.xs};
  }
`
const Ring = styled.span`
  width: 16px;
  height: 16px;
  margin-top: ${space[1]};
  border: 1.5px solid ${color.lineStrong};
  border-radius: 50%;
`
