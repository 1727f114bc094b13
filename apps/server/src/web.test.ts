import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listen, portOf } from './listen.ts'
import { pagePolicy } from './security/headers.ts'
import { startTestServer } from './testing/index.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'
import { createWebPages, webModeOf } from './web.ts'

test('SX-3 SX-11 a page may run scripts of its own response only, and load nothing from another host', () => {
  const policy = pagePolicy('abc', false)
  const directives = new Map(policy.split('; ').map((line) => [line.split(' ', 1)[0], line]))
  expect(directives.get('script-src')).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic'")
  expect(directives.get('img-src')).toBe("img-src 'self' data: blob:")
  expect(directives.get('frame-src')).toBe("frame-src 'self'")
  expect(directives.get('connect-src')).toBe("connect-src 'self'")
  for (const shut of ['object-src', 'base-uri', 'frame-ancestors']) {
    expect(directives.get(shut)).toBe(`${shut} 'none'`)
  }
  expect(policy).not.toMatch(/unsafe-eval|https?:/)
})

test('CF-1 pages are built ones, live ones in development, or none', () => {
  expect(webModeOf({ PALIMPSEST_WEB: true, PALIMPSEST_DEV: false })).toBe('production')
  expect(webModeOf({ PALIMPSEST_WEB: true, PALIMPSEST_DEV: true })).toBe('development')
  expect(webModeOf({ PALIMPSEST_WEB: false, PALIMPSEST_DEV: true })).toBe('off')
})

test('CF-1 with pages off the API answers, and a page request is answered with that reason', async () => {
  await using server = await startTestServer()
  const page = await fetch(server.url)
  expect(page.status).toBe(404)
  expect(await page.text()).toContain('PALIMPSEST_WEB is off')
  expect((await fetch(`${server.url}/trpc/system.info`)).status).toBe(200)
})

test('CF-1 where pages are not built, a page request is answered with how to build them', async () => {
  await using empty = await temporaryFolder()
  await using web = createWebPages('production', empty.path)
  await web.open()
  expect(web.ready).toBe(false)
  await using http = createServer((request, response) => void web.handle(request, response))
  await listen(http, { host: '127.0.0.1', port: 0 })
  const page = await fetch(`http://127.0.0.1:${portOf(http)}/s/any`)
  expect(page.status).toBe(503)
  expect(await page.text()).toContain('npx pnpm@12 --filter @palimpsest/web run build')
})
