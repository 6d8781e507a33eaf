import type { CSSProperties } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Body } from '@react-email/body'
import { Button } from '@react-email/button'
import { Column } from '@react-email/column'
import { Container } from '@react-email/container'
import { Head } from '@react-email/head'
import { Heading } from '@react-email/heading'
import { Html } from '@react-email/html'
import { Img } from '@react-email/img'
import { Link } from '@react-email/link'
import { Preview } from '@react-email/preview'
import { Row } from '@react-email/row'
import { Section } from '@react-email/section'
import { Text } from '@react-email/text'
import { imageAddress, NO_PICTURE } from '#schema/rules/image'
import type { Figure, LetterLine, Part, ShopFront } from './template.ts'

// Mail programs know no custom properties, so the colours of the two themes stand here as they are.
const LIGHT = {
  ground: '#faf7f0',
  raised: '#fffdf8',
  line: '#ddd4c3',
  text: '#241f1a',
  quiet: '#635a4e',
  action: '#a3312a',
  onAction: '#fffdf8',
  accent: '#a3312a',
}
const DARK: typeof LIGHT = {
  ground: '#1a1512',
  raised: '#282119',
  line: '#3d342b',
  text: '#f2e9dc',
  quiet: '#bbad9b',
  action: '#b5432f',
  onAction: '#fff7ec',
  accent: '#db6a54',
}
const SERIF = `'Brygada 1918', Georgia, 'Times New Roman', serif`
const SANS = `'Source Sans 3', 'Helvetica Neue', Arial, sans-serif`

// What stands at the elements is for light: programs that know no dark theme often know no style sheet either.
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.ground,.ground>table>tbody>tr>td{background:${DARK.ground}!important;background-color:${DARK.ground}!important}
.raised{background:${DARK.raised}!important;background-color:${DARK.raised}!important}
.lined{border-color:${DARK.line}!important}
.text{color:${DARK.text}!important}
.quiet{color:${DARK.quiet}!important}
.accent{color:${DARK.accent}!important}
.action{background:${DARK.action}!important;background-color:${DARK.action}!important;color:${DARK.onAction}!important}
}`

interface HouseLetter {
  shop: ShopFront
  title: string
  /** Beginning with the greeting. */
  parts: readonly Part[]
  /** What stands below every letter. */
  closing: readonly string[]
}

/** A letter as HTML: what it loads are pictures of the shop's, and without them nothing is missing but they. */
export function houseLetter(letter: HouseLetter): string {
  return `<!DOCTYPE html>${renderToStaticMarkup(<Letter {...letter} />)}`
}

function Letter({ shop, title, parts, closing }: HouseLetter) {
  const [, first] = parts
  return (
    <Html>
      <Head>
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{STYLE}</style>
      </Head>
      <Body className="ground" style={{ background: LIGHT.ground, margin: '0', padding: '32px 16px' }}>
        {typeof first === 'string' && <Preview>{first}</Preview>}
        <Container style={{ maxWidth: '560px', fontFamily: SANS, textAlign: 'left' }}>
          <Mark shop={shop} />
          <Heading className="text" style={{ ...serif(30, 500), margin: '0 0 20px' }}>
            {title}
          </Heading>
          {parts.map((part, place) => (
            <PartOf key={place} part={part} shopUrl={shop.shopUrl} />
          ))}
          <Section className="lined" style={{ borderTop: `1px solid ${LIGHT.line}`, marginTop: '40px' }}>
            {closing.map(line => (
              <Text key={line} className="quiet" style={{ ...sans(14), color: LIGHT.quiet, margin: '12px 0 0' }}>
                <Contact line={line} />
              </Text>
            ))}
          </Section>
        </Container>
      </Body>
    </Html>
  )
}

/** The name stands beside its mark, so that nothing is lost where pictures are not shown. */
const Mark = ({ shop: { shopUrl, contact } }: { shop: ShopFront }) => (
  <Section style={{ marginBottom: '32px' }}>
    <Link href={`${shopUrl}/`} className="text" style={{ ...serif(26, 600), textDecoration: 'none' }}>
      <Img
        src={`${shopUrl}/icon-192.png`}
        alt=""
        width={36}
        height={36}
        fetchPriority="low"
        style={{ display: 'inline-block', verticalAlign: 'middle', marginRight: '10px', borderRadius: '4px' }}
      />
      <span style={{ verticalAlign: 'middle' }}>{contact.name}</span>
    </Link>
  </Section>
)

/** An address to write to or a page to open is a link; mail programs make one of it anyway, in a colour of theirs. */
function Contact({ line }: { line: string }) {
  const href = /^https?:\/\/\S+$/.test(line) ? line : /^[^\s@]+@[^\s@]+$/.test(line) ? `mailto:${line}` : null
  return href ? <Lead to={href}>{line}</Lead> : line
}

const Lead = ({ to, children }: { to: string; children: string }) => (
  <Link href={to} className="accent" style={{ color: LIGHT.accent, textDecoration: 'underline' }}>
    {children}
  </Link>
)

function PartOf({ part, shopUrl }: { part: Part; shopUrl: string }) {
  if (typeof part === 'string') return <Paragraph text={part} shopUrl={shopUrl} />
  if ('link' in part) {
    return (
      <Section style={{ margin: '24px 0' }}>
        <Button
          href={part.link}
          className="action"
          style={{
            ...sans(17),
            padding: '14px 24px',
            borderRadius: '4px',
            background: LIGHT.action,
            color: LIGHT.onAction,
            fontWeight: 600,
          }}
        >
          {part.label}
        </Button>
      </Section>
    )
  }
  if ('code' in part) {
    return (
      <Section className="raised lined" style={{ ...box, margin: '24px 0' }}>
        <Text
          className="text"
          style={{ ...serif(22, 600), letterSpacing: '0.06em', margin: '16px', textAlign: 'center' }}
        >
          {part.code}
        </Text>
      </Section>
    )
  }
  if ('address' in part) {
    return (
      <Section style={{ margin: '24px 0' }}>
        <Heading as="h2" className="quiet" style={{ ...sans(14), color: LIGHT.quiet, fontWeight: 600, margin: '0' }}>
          {part.label}
        </Heading>
        {part.address.map((line, place) => (
          <Text key={place} className="text" style={{ ...sans(16), margin: '2px 0 0' }}>
            {line}
          </Text>
        ))}
      </Section>
    )
  }
  return (
    <Section style={{ margin: '24px 0' }}>
      {part.lines.map((line, place) => (
        <Line key={place} line={line} shopUrl={shopUrl} />
      ))}
      {part.totals.map((figure, place) => (
        <Total key={place} figure={figure} isLast={place === part.totals.length - 1} />
      ))}
    </Section>
  )
}

/** Pages of the shop's own are links in it. What others wrote may lead elsewhere, and is none of ours. */
function Paragraph({ text, shopUrl }: { text: string; shopUrl: string }) {
  const pieces = text.split(/(https?:\/\/\S*[^\s.])/)
  return (
    <Text className="text" style={{ ...sans(17), margin: '0 0 16px', overflowWrap: 'anywhere' }}>
      {pieces.map((piece, place) =>
        piece.startsWith(`${shopUrl}/`) ? (
          <Lead key={place} to={piece}>
            {piece}
          </Lead>
        ) : (
          piece
        ),
      )}
    </Text>
  )
}

function Line({ line: { name, quantity, amount, image, notes = [] }, shopUrl }: { line: LetterLine; shopUrl: string }) {
  const src = pictureAt(shopUrl, image)
  return (
    <Row className="lined" style={{ borderBottom: `1px solid ${LIGHT.line}` }}>
      <Column width={80} style={{ width: '80px', padding: '12px 16px 12px 0', verticalAlign: 'top' }}>
        <div
          className="raised"
          style={{ width: '64px', height: '64px', background: LIGHT.raised, borderRadius: '4px', overflow: 'hidden' }}
        >
          {src && (
            <Img
              src={src}
              alt={name}
              width={64}
              height={64}
              fetchPriority="low"
              className="quiet"
              style={{ ...sans(11), color: LIGHT.quiet, objectFit: 'cover', borderRadius: '4px' }}
            />
          )}
        </div>
      </Column>
      <Column style={{ padding: '12px 16px 12px 0', verticalAlign: 'top' }}>
        <Text className="text" style={{ ...sans(16), margin: '0' }}>
          {quantity} × {name}
        </Text>
        {notes.map(note => (
          <Text key={note} className="quiet" style={{ ...sans(14), color: LIGHT.quiet, margin: '2px 0 0' }}>
            {note}
          </Text>
        ))}
      </Column>
      <Column
        align="right"
        className="text"
        style={{ ...sans(16), ...figures, padding: '12px 0', verticalAlign: 'top' }}
      >
        {amount}
      </Column>
    </Row>
  )
}

function Total({ figure: [label, amount], isLast }: { figure: Figure; isLast: boolean }) {
  const look: CSSProperties = {
    ...sans(16),
    padding: '8px 0',
    ...(isLast ? { fontWeight: 600 } : { color: LIGHT.quiet }),
  }
  const name = isLast ? 'text' : 'quiet'
  return (
    <Row className="lined" style={isLast ? { borderTop: `1px solid ${LIGHT.line}` } : undefined}>
      <Column className={name} style={look}>
        {label}
      </Column>
      <Column align="right" className={name} style={{ ...look, ...figures }}>
        {amount}
      </Column>
    </Row>
  )
}

/** Twice as many pixels as it is shown with, and as a PNG: some mail programs read nothing newer, and its ground is see-through. */
function pictureAt(shopUrl: string, image: string): string | null {
  const src = imageAddress(image)
  if (!src || src === NO_PICTURE) return null
  return src.startsWith('/') ? `${shopUrl}${src}${src.includes('?') ? '&' : '?'}w=160&as=png` : src
}

const sans = (px: number): CSSProperties => ({
  fontFamily: SANS,
  fontSize: `${px}px`,
  lineHeight: '1.5',
  color: LIGHT.text,
})
const serif = (px: number, fontWeight: number): CSSProperties => ({
  fontFamily: SERIF,
  fontSize: `${px}px`,
  lineHeight: '1.2',
  fontWeight,
  color: LIGHT.text,
})
const figures: CSSProperties = { whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }
const box: CSSProperties = { background: LIGHT.raised, border: `1px solid ${LIGHT.line}`, borderRadius: '4px' }
