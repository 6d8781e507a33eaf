import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromium } from './storefront/testing/browser.ts'

const PORT = 4310
const SIMULATOR_PORT = 4311
// Workers read this file too, while the shop is running; only the first reading makes its data directory.
if (!process.env.SHOP_UNDER_TEST) {
  const made = mkdtempSync(join(tmpdir(), 'skein-e2e-'))
  process.env.SHOP_UNDER_TEST = made
  process.on('exit', () => rmSync(made, { recursive: true, force: true }))
}
const dataDir = process.env.SHOP_UNDER_TEST

export default defineConfig({
  testDir: 'storefront/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/e2e',
  reporter: [['line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: `http://localhost:${PORT}`,
    launchOptions: await chromium(),
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, grep: /@phone/ },
  ],
  webServer: {
    command: 'tsx --tsconfig api/tsconfig.json api/main.ts',
    url: `http://localhost:${PORT}/readyz`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: { PORT: String(PORT), PAYPAL_SIMULATOR_PORT: String(SIMULATOR_PORT), DATA_DIR: dataDir, SEED: 'demo', WEBHOOKS_ALLOW_PRIVATE: 'true' },
  },
})
