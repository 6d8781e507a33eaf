import { useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useHydrated } from '../data/stored.ts'

const TYPE = 'application/ld+json'

/** What search engines read of a page. It is a data block, which the content security policy does not block. */
export function JsonLd({ data }: { data: object }) {
  return (
    <script
      type={TYPE}
      dangerouslySetInnerHTML={{
        __html: JSON.stringify({ '@context': 'https://schema.org', ...data }).replaceAll('<', '\\u003c'),
      }}
    />
  )
}

/**
 * Such a block in the browser: React leaves what the server wrote as it is, so no code for it is loaded. It goes when the
 * page does. Pages opened from within the shop have none: search engines ask the server for each page.
 */
export function ServedJsonLd() {
  const { key } = useLocation()
  const [servedFor] = useState(useHydrated() ? null : key)
  return servedFor === key && <script type={TYPE} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
}
