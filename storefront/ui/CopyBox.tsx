import { useEffect, useId, useRef, useState } from 'react'
import { styled } from 'styled-components'
import { color, font, radius, size, space, weight } from '../theme/tokens.ts'
import { Button } from './Button.tsx'
import { CopyIcon } from './admin-icons.tsx'
import { CheckIcon } from './icons.tsx'
import { VisuallyHidden } from './VisuallyHidden.tsx'

interface CopyBoxProps {
  label: string
  /** What is copied, letter by letter. */
  text: string
  /** Called when the text is in the clipboard, whichever way it got there. */
  onCopied?: () => void
}

const SAID_MS = 3000

/** A text to take along: a key, a command. */
export function CopyBox({ label, text, onCopied }: CopyBoxProps) {
  const labelId = useId()
  const shown = useRef<HTMLPreElement>(null)
  const [outcome, setOutcome] = useState<'copied' | 'selected' | null>(null)

  useEffect(() => {
    if (outcome !== 'copied') return
    const pause = setTimeout(() => setOutcome(null), SAID_MS)
    return () => clearTimeout(pause)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
      onCopied?.()
    } catch {
      // Browsers have no clipboard for pages without TLS.
      if (shown.current) getSelection()?.selectAllChildren(shown.current)
      setOutcome('selected')
    }
  }

  return (
    <Frame role="group" aria-labelledby={labelId}>
      <Head>
        <span id={labelId}>{label}</span>
        <Button
          size="sm"
          variant="quiet"
          icon={outcome === 'copied' ? <CheckIcon size={16} /> : <CopyIcon size={16} />}
          onClick={() => void copy()}
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
          <VisuallyHidden> {label}</VisuallyHidden>
        </Button>
      </Head>
      <Text ref={shown} onCopy={onCopied}>
        {text}
      </Text>
      <Hint role="status">
        {outcome === 'copied' && <VisuallyHidden>Copied.</VisuallyHidden>}
        {outcome === 'selected' &&
          'Your browser does not let this page copy. The text is selected: copy it with your keyboard.'}
      </Hint>
    </Frame>
  )
}

const Frame = styled.div`
  padding: ${space[2]} ${space[2]} ${space[3]} ${space[3]};
  border-radius: ${radius.md};
  background: ${color.band};
`
const Head = styled.div`
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: ${space[3]};
  font-size: ${size.sm};
  font-weight: ${weight.strong};
`
const Text = styled.pre`
  margin-top: ${space[2]};
  padding-right: ${space[2]};
  font: ${size.sm} / 1.5 ${font.mono};
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`
const Hint = styled.p`
  font-size: ${size.sm};
  color: ${color.textQuiet};
`
