import { ApolloProvider } from '@apollo/client/react'
import type { ApolloClient } from '@apollo/client'
import { type ComponentProps, type ReactNode, StrictMode } from 'react'
import { ShopContext } from './Head.tsx'
import { globalCss } from '../theme/global-css.ts'
import { browserColor } from '../theme/themes.ts'

interface DocumentProps {
  client: ApolloClient
  shop: ComponentProps<typeof ShopContext>['value']
  children: ReactNode
}

/** The whole HTML document. The server renders it and the browser hydrates it, so both must get the same props. */
export function Document({ client, shop, children }: DocumentProps) {
  return (
    <StrictMode>
      {/* theme/mode.ts sets data-theme before the page is painted. */}
      <html lang="en" suppressHydrationWarning>
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="theme-color" media="(prefers-color-scheme: light)" content={browserColor.light} />
          <meta name="theme-color" media="(prefers-color-scheme: dark)" content={browserColor.dark} />
          <link rel="icon" href="/favicon.ico" sizes="32x32" />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
          <link rel="manifest" href="/manifest.webmanifest" />
          <style suppressHydrationWarning dangerouslySetInnerHTML={{ __html: globalCss }} />
        </head>
        <body>
          <ShopContext value={shop}>
            <ApolloProvider client={client}>{children}</ApolloProvider>
          </ShopContext>
        </body>
      </html>
    </StrictMode>
  )
}
