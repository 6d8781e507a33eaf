import './.ci/in-memory.mjs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Packages reach graphql both as ESM and as CommonJS; its types are compared by identity, so there must be one copy.
const graphql = createRequire(import.meta.url).resolve('graphql')

/**
 * The files that take longest start first, so that the workers end together. A fresh checkout knows only file sizes,
 * which say little.
 */
const LONGEST = [
  'api/testing/faults/faults.test.ts',
  'api/testing/gates/access.test.ts',
  'api/webhook/deliver-events.test.ts',
  'api/graphql/generated-operations.test.ts',
  'api/order/end-hold.test.ts',
  'api/rest/bad-input.test.ts',
  'api/testing/gates/bad-input.test.ts',
  'api/machines.test.ts',
  'api/live/live.test.ts',
  'api/main.test.ts',
  'api/graphql/statements.test.ts',
  'api/payment/faults.test.ts',
  'api/kernel/clock.test.ts',
  'api/catalog/search/plans.test.ts',
  'api/cli/create-admin.test.ts',
  'api/processes.test.ts',
  'api/testing/gates/worst-text.test.ts',
  'api/db/migrate.test.ts',
  'api/export/export.test.ts',
  'api/catalog/import/import-products.test.ts',
]

const PROJECTS = ['api', 'storefront', 'rules']

/** A worker is kept for the next file only if that is of the same project, so the files of each stay together. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification) => {
      const index = LONGEST.findIndex(name => moduleId.endsWith(name))
      return index < 0 ? LONGEST.length + PROJECTS.indexOf(project.name) : index
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  resolve: { alias: [{ find: /^graphql$/, replacement: graphql }] },
  test: {
    sequence: { sequencer: LongestFirst },
    // The same for all projects: they then share the workers, rather than run one after the other.
    maxWorkers: 3,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
    projects: [
      { extends: true, test: { name: 'rules', include: ['schema/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'api',
          include: ['{api,tools}/**/*.test.ts'],
          globalSetup: 'api/testing/global-setup.ts',
          // What one shop has compiled need not be compiled by the next process.
          env: { NODE_COMPILE_CACHE: join(tmpdir(), 'skein-compiled') },
          // Opening a shop is slow the first time; the next file in the process finds everything loaded and compiled.
          isolate: false,
          // Whole shops are opened, on machines that may be busy. What must not take long says so itself.
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        extends: true,
        plugins: [react()],
        test: {
          name: 'storefront',
          include: ['storefront/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
          // Each file has a world of its own in a process that has the packages loaded already.
          pool: 'vmThreads',
          setupFiles: 'storefront/testing/setup.ts',
          testTimeout: 180_000,
        },
      },
    ],
  },
})
