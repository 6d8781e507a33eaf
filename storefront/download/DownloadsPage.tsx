import { useQuery } from '@apollo/client/react'
import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { messageOf } from '../data/errors.ts'
import { paths } from '../paths.ts'
import { color, font, measure, size, space } from '../theme/tokens.ts'
import { Container } from '../ui/Container.tsx'
import { formatDay } from '../ui/dates.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Link } from '../ui/Link.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { DownloadIcon } from '../ui/page-icons.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { Stack } from '../ui/Stack.tsx'
import { DownloadLine } from './DownloadLine.tsx'
import { MyDownloadsDocument, type MyDownloadsQuery } from './DownloadsPage.gql.ts'

type Bought = MyDownloadsQuery['myDownloads'][number]
const productOf = ({ orderId, productId }: Bought) => orderId + productId

/** All patterns and other files that an account has paid for. */
export default function DownloadsPage() {
  const {
    data: current,
    previousData,
    error,
    loading,
    refetch,
  } = useQuery(MyDownloadsDocument, {
    notifyOnNetworkStatusChange: true,
  })
  const data = current ?? previousData
  return (
    <Container>
      <Head title="Your downloads" />
      <Page>
        <p>
          <Link to={paths.profile()}>Profile</Link>
        </p>
        <h1>Your downloads</h1>
        {data ? (
          <Library bought={data.myDownloads} />
        ) : error ? (
          <ErrorState onRetry={() => void refetch()} retrying={loading}>
            {messageOf(error)}
          </ErrorState>
        ) : (
          <Stack aria-busy="true">
            <Skeleton $height="7rem" />
            <Skeleton $height="7rem" />
          </Stack>
        )}
      </Page>
    </Container>
  )
}

function Library({ bought }: { bought: readonly Bought[] }) {
  if (bought.length === 0)
    return (
      <EmptyState
        icon={<DownloadIcon size={40} />}
        title="Nothing to download yet"
        action={
          <LinkButton as={Link} to={paths.home()}>
            Look around
          </LinkButton>
        }
      >
        <p>Patterns and other files wait for you here once you have paid for them.</p>
      </EmptyState>
    )
  return (
    <Products>
      {[...new Set(bought.map(productOf))].map(product => (
        <Product key={product} files={bought.filter(each => productOf(each) === product)} />
      ))}
    </Products>
  )
}

/** A product with its files. */
function Product({ files }: { files: readonly Bought[] }) {
  const [first] = files
  if (!first) return null
  const { productId, name, image, orderId, orderedAt } = first
  return (
    <li>
      <Picture src={image} alt="" sizes="6rem" />
      <div>
        <h2>
          <Link to={paths.product(productId, name)}>{name}</Link>
        </h2>
        <small>
          <Link to={paths.order(orderId)}>Ordered on {formatDay(orderedAt)}</Link>
        </small>
        <Files>
          {files.map(({ download }) => (
            <DownloadLine key={download.id} orderId={orderId} download={download} />
          ))}
        </Files>
      </div>
    </li>
  )
}

const Page = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${space[5]};
  max-width: ${measure.text};
`
const Products = styled.ul`
  padding: 0;
  list-style: none;
  > li {
    display: grid;
    grid-template-columns: clamp(4rem, 18%, 6rem) minmax(0, 1fr);
    gap: ${space[4]};
    align-items: start;
    padding-block: ${space[5]};
    border-top: 1px solid ${color.line};
  }
  h2 {
    font: ${size.lg} / 1.2 ${font.serif};
    overflow-wrap: anywhere;
  }
  h2 a {
    text-decoration: none;
    &:hover {
      text-decoration: underline;
    }
  }
  small {
    font-size: ${size.sm};
    color: ${color.textQuiet};
  }
`
const Files = styled.ul`
  display: grid;
  gap: ${space[3]};
  margin-top: ${space[4]};
  padding: 0;
  list-style: none;
`
