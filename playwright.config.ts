import './.ci/in-memory.mjs'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { freePort } from './api/testing/free-port.ts'
import { chromium } from './storefront/testing/browser.ts'

// Workers read this file too, while the shop is running; only the first time chooses ports and makes a data directory.
if (!process.env.SHOP_UNDER_TEST) {
  const made = mkdtempSync(join(tmpdir(), 'skein-e2e-'))
  // Free ports, so that several test runs can share a machine.
  process.env.SHOP_UNDER_TEST = [made, await freePort(), await freePort(), await freePort()].join(' ')
  process.on('exit', () => rmSync(made, { recursive: true, force: true }))
}
const [dataDir, port, simulatorPort, providerPort] = process.env.SHOP_UNDER_TEST.split(' ') as [
  string,
  string,
  string,
  string,
]

const provider = `http://127.0.0.1:${providerPort}`
const appleKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

export default defineConfig({
  testDir: 'storefront/e2e',
  testMatch: '*.e2e.ts',
  outputDir: 'test-results/e2e',
  reporter: [['line'], ['json', { outputFile: 'test-results/e2e.json' }]],
  workers: 3,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  use: {
    baseURL: `http://localhost:${port}`,
    launchOptions: await chromium(),
    // The answers tested are the shop's own; only offline.e2e.ts has a service worker.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Pictures of every step would cost more than the steps; a failed test has its screenshot.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1440, height: 900 } } },
    { name: 'phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, grep: /@phone/ },
  ],
  webServer: [
    {
      command: 'tsx tools/openid-provider/main.ts',
      url: `${provider}/keys`,
      timeout: 180_000,
      env: { PORT: providerPort },
    },
    {
      command: 'node dist/api/main.js',
      url: `http://localhost:${port}/readyz`,
      timeout: 180_000,
      gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
      env: {
        PORT: port,
        PAYPAL_SIMULATOR_PORT: simulatorPort,
        DATA_DIR: dataDir,
        SEED: 'demo',
        WEBHOOKS_ALLOW_PRIVATE: 'true',
        TRUST_PROXY: '127.0.0.1,::1',
        PICKUP_ADDRESS: '12 Mill Lane, Portland, ME, 04101',
        PICKUP_HOURS: 'Tuesday to Saturday, 10 to 6',
        GOOGLE_CLIENT_ID: 'skein',
        GOOGLE_CLIENT_SECRET: 'of the browser tests',
        GOOGLE_ISSUER: provider,
        APPLE_CLIENT_ID: 'skein',
        APPLE_TEAM_ID: 'TEAM123456',
        APPLE_KEY_ID: 'KEY1234567',
        APPLE_PRIVATE_KEY: appleKey,
        APPLE_ISSUER: provider,
      },
    },
  ],
})
