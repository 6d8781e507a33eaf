import { styled } from 'styled-components'
import { color, size, space, weight } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { Link } from '../ui/Link.tsx'

interface AnnouncementBarProps {
  text: string
  link: string | null
}

/** What the owner has to say to every shopper. */
export default function AnnouncementBar({ text, link }: AnnouncementBarProps) {
  return (
    <Bar aria-label="Announcement" data-print="hide">
      <Container>
        {link ? link.startsWith('/') ? <Link to={link}>{text}</Link> : <a href={link}>{text}</a> : text}
      </Container>
    </Bar>
  )
}

const Bar = styled.section`
  padding-block: ${space[2]};
  background: ${color.text};
  color: ${color.ground};
  font-size: ${size.sm};
  font-weight: ${weight.medium};
  line-height: 1.35;
  text-align: center;
  text-wrap: balance;
  overflow-wrap: anywhere;
`
