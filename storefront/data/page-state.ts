import type { NormalizedCacheObject } from '@apollo/client'
import type { HydrationState } from 'react-router-dom'
import type { Currency } from '#schema/rules/currency'

/** What the server knows when it has rendered a page, for the browser to continue from. */
export interface PageState {
  shop: { origin: string; name: string; tagline: string; currency: Currency }
  apollo: NormalizedCacheObject
  router: HydrationState
}

const ID = 'page-state'

/** A data block, which a content security policy does not forbid. */
export function pageStateScript(state: object): string {
  return `<script id="${ID}" type="application/json">${JSON.stringify(state).replaceAll('<', '\\u003c')}</script>`
}

export function readPageState(): PageState {
  return JSON.parse(document.getElementById(ID)?.textContent ?? 'null') as PageState
}
