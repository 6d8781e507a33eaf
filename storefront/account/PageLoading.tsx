import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { Container } from '../ui/Container.tsx'
import { Loader } from '../ui/Loader.tsx'
import { NeedsScript, onlyWithScript } from '../ui/NeedsScript.tsx'

/** A private page before it is known whose it is: nobody can tell yet how it will look. */
export function PageLoading() {
  return (
    <Container $width="text" aria-busy="true">
      <Head title="Skein" />
      <NeedsScript>This page needs JavaScript, which your browser does not run.</NeedsScript>
      <Middle>
        <Loader size={72} />
      </Middle>
    </Container>
  )
}

const Middle = styled.div`
  ${onlyWithScript}
  display: grid;
  place-items: center;
  min-height: 50vh;
`
