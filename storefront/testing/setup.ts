import '@testing-library/jest-dom/vitest'
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

// A busy machine takes longer than the usual second; what is there is still found at once.
configure({ asyncUtilTimeout: 30_000 })
afterEach(cleanup)
