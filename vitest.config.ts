import { createRequire } from 'node:module'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

// Packages reach graphql both as ESM and as CommonJS; its types are compared by identity, so there must be one copy.
const graphql = createRequire(import.meta.url).resolve('graphql')

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    projects: [
      { extends: true, test: { name: 'rules', include: ['schema/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['{api,tools}/**/*.test.ts'],
          globalSetup: 'api/testing/global-setup.ts',
          // Whole shops are opened, on machines that may be busy.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'storefront',
          include: ['storefront/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: 'storefront/testing/setup.ts',
        },
      },
    ],
  },
})
