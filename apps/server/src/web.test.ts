import { expect, test } from 'vitest'
import { pagePolicy } from './security/headers.ts'
import { startTestServer } from './testing/index.ts'
import { webModeOf } from './web.ts'

test('SX-3 a page may run scripts of this request alone, and nothing but a picture from elsewhere', () => {
  const policy = pagePolicy('abc', false)
  const directives = new Map(policy.split('; ').map((line) => [line.split(' ', 1)[0], line]))
  expect(directives.get('script-src')).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic'")
  expect(directives.get('img-src')).toBe("img-src 'self' data: blob: https:")
  expect(directives.get('connect-src')).toBe("connect-src 'self'")
  for (const shut of ['object-src', 'frame-src', 'base-uri', 'frame-ancestors']) {
    expect(directives.get(shut)).toBe(`${shut} 'none'`)
  }
  expect(policy).not.toMatch(/unsafe-eval|http:/)
})

test('CF-1 pages are built ones, live ones in development, or none', () => {
  expect(webModeOf({ PALIMPSEST_WEB: true, PALIMPSEST_DEV: false })).toBe('production')
  expect(webModeOf({ PALIMPSEST_WEB: true, PALIMPSEST_DEV: true })).toBe('development')
  expect(webModeOf({ PALIMPSEST_WEB: false, PALIMPSEST_DEV: true })).toBe('off')
})

test('CF-1 without pages the API answers, and a page says how to build them', async () => {
  await using server = await startTestServer()
  const page = await fetch(server.url)
  expect(page.status).toBe(503)
  expect(await page.text()).toContain('pnpm --filter @palimpsest/web run build')
  expect((await fetch(`${server.url}/trpc/system.info`)).status).toBe(200)
})
