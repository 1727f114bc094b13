import { defineConfig } from '@playwright/test'
import { findChromium } from '../scripts/chromium/find.ts'

const executablePath = findChromium({ env: process.env, playwright: () => undefined })

export default defineConfig({
  testDir: 'specs',
  globalSetup: './fixtures/warm-up.ts',
  outputDir: '../test-results/browser',
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 8_000 },
  reporter: [['line']],
  use: {
    trace: 'off',
    video: 'off',
    screenshot: 'off',
    locale: 'en-GB',
    timezoneId: 'UTC',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        // A key or wheel scrolls at once, so that nothing moves under the next click.
        '--disable-smooth-scrolling',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
