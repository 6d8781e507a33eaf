import { styled } from 'styled-components'
import { Head } from '../app/Head.tsx'
import { Container } from '../ui/Container.tsx'
import { Loader } from '../ui/Loader.tsx'
import { NeedsScript, onlyWithScript } from '../ui/NeedsScript.tsx'

/** Shown for a private page until the session is known: the page's layout depends on who is signed in. */
export function PageLoading() {
  return (
    <Container $width="text" aria-busy="true">
      <Head />
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
