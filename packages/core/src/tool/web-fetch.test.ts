import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import type { Requirement } from '../domain/permission/permission.ts'
import { evaluate } from '../permission/evaluate.ts'
import type { FetchedPage, PageFormat } from '../ports/web.ts'
import { ToolError } from './tool.ts'
import { webFetchTool } from './web-fetch.ts'

const PAGE: FetchedPage = {
  type: 'page',
  url: 'https://a.test/x',
  status: 200,
  text: 'Words',
  truncated: false,
}

function read(page: Partial<FetchedPage> | Error, args: object = {}) {
  const asked: { url: string; format: PageFormat; signal: AbortSignal }[] = []
  const runtime = toolRuntime({
    web: {
      fetch: async (url, format, signal) => {
        asked.push({ url, format, signal })
        if (page instanceof Error) throw page
        return Object.assign({}, PAGE, page)
      },
    },
  })
  const result = webFetchTool.execute(webFetchTool.input.parse({ url: 'https://a.test', ...args }), runtime)
  return { result, asked, signal: runtime.signal }
}

const required = (url: string) => webFetchTool.requires({ url, format: 'text' }, toolRuntime())

test('TO-1 a page is returned with its address and status, as Markdown unless asked otherwise', async () => {
  const { result, asked, signal } = read({})
  expect(await result).toEqual({ text: 'Words', data: { url: 'https://a.test/x', status: 200 } })
  expect(asked).toEqual([{ url: 'https://a.test', format: 'markdown', signal }])
  expect(read({}, { format: 'html' }).asked).toMatchObject([{ format: 'html' }])
})

test.for([
  [{ text: '' }, '(an empty page)'],
  [{ status: 404 }, '[The host answered 404]\nWords'],
  [{ status: 500, text: '' }, '[The host answered 500]\n(an empty page)'],
  [{ status: 399 }, 'Words'],
  [{ truncated: true }, 'Words\n[Only the beginning of the page]'],
] as const)('TO-1 what a host answered is said before the page: %j', async ([page, text]) => {
  expect((await read(page).result).text).toBe(text)
})

test('TO-3 a page that is cut names its address for the rest', async () => {
  expect(await read({ truncated: true }).result).toMatchObject({
    truncated: true,
    outputPath: 'https://a.test/x',
  })
})

test('PE-1 a redirect to another host is an address for the next call, with a permission of its own', async () => {
  const { result, asked } = read({ type: 'redirect', url: 'https://a.test/', to: 'https://b.test/y' })
  const { text, data } = await result
  expect(text).toContain('https://a.test/ redirects to https://b.test/y, which is another host or port.')
  expect(data).toBeUndefined()
  expect(asked).toHaveLength(1)
})

test.for([
  ['https://Example.COM/a?b#c', 'example.com'],
  ['http://example.com:8080/', 'example.com:8080'],
  ['https://example.com:8443', 'example.com:8443'],
  ['https://example.com:443/', 'example.com'],
  ['http://example.com:80/', 'example.com'],
  ['http://example.com:443/', 'example.com:443'],
  ['https://example.com:80/', 'example.com:80'],
  ['http://[2606:4700::1]:8080/', '[2606:4700::1]:8080'],
  ['https://example.com@evil.test/', 'evil.test'],
  ['https://user:pass@evil.test', 'evil.test'],
  ['https://example.com.evil.test', 'example.com.evil.test'],
  ['https://evil.test/example.com', 'evil.test'],
  ['https://evil.test\\@example.com/', 'evil.test'],
  ['http://0x7f.1/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://[::ffff:127.0.0.1]/', '[::ffff:7f00:1]'],
  ['https://bücher.test/', 'xn--bcher-kva.test'],
  ['https://ex\tample.com/', 'example.com'],
  ['no address', 'unknown host'],
])('PE-1 the permission for %s is that of the host and port that are called, %s', ([url = '', host]) => {
  expect(required(url)).toEqual([{ permission: 'network', pattern: host }])
})

test.for([
  'file:///etc/passwd',
  'ftp://a.test',
  'javascript:alert(1)',
  'data:text/html,x',
  'ws://a.test',
  '//a.test',
  'a.test',
  '',
  `https://a.test/${'x'.repeat(4_096)}`,
])('TO-1 an address that is not one of the web is a bad argument: %s', (url) => {
  expect(webFetchTool.input.safeParse({ url }).success).toBe(false)
})

test('TO-1 why a page cannot be read is for the model, and an unexpected error is not', async () => {
  const refused = read(new AppError('INVALID_INPUT', 'The address is not public.')).result
  await expect(refused).rejects.toThrow(new ToolError('The address is not public.'))
  await expect(read(new Error('ECONNRESET 10.0.0.1')).result).rejects.not.toBeInstanceOf(ToolError)
})

test('TO-1 a host that reads no pages says so, and one page may take 40 s', async () => {
  const args = webFetchTool.input.parse({ url: 'https://a.test' })
  await expect(webFetchTool.execute(args, toolRuntime())).rejects.toThrow(
    new ToolError('This server reads no pages of the web.'),
  )
  expect(webFetchTool.timeoutMs?.(args)).toBe(40_000)
})

test('PE-7 a rule for a host is for the port of its scheme, and one for a port is for no other', () => {
  const asked = (url: string, pattern: string) =>
    evaluate(webFetchTool.requires({ url, format: 'text' }, toolRuntime()) as Requirement[], [
      { permission: 'network', pattern, action: 'allow', source: 'session' },
    ]).action
  expect(asked('https://example.com/x', 'example.com')).toBe('allow')
  expect(asked('http://example.com/x', 'example.com')).toBe('allow')
  expect(asked('https://example.com:8443/x', 'example.com')).toBe('ask')
  expect(asked('http://example.com:443/x', 'example.com')).toBe('ask')
  expect(asked('https://example.com:8443/x', 'example.com:8443')).toBe('allow')
  expect(asked('https://example.com/x', 'example.com:8443')).toBe('ask')
})
