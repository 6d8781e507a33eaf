import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// Pages are compiled when they are first opened, for which a busy machine takes far longer than the usual second; what is
// there is still found at once.
configure({ asyncUtilTimeout: 60_000 })
afterEach(cleanup)
