import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { sendCompressed } from './compressed-static.ts'
import { listen, portOf } from './listen.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const SCRIPT = 'console.log("chunk")'

/** A server that sends what is compressed, and 404 for the rest. */
async function startStatic() {
  const folder = await temporaryFolder()
  const chunks = join(folder.path, 'static', 'chunks')
  await mkdir(chunks, { recursive: true })
  await writeFile(join(chunks, '0a-b_c~1.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(chunks, 'a.css.br'), brotliCompressSync('p {}'))
  await writeFile(join(folder.path, 'secret.js.br'), brotliCompressSync('secret'))
  const http = createServer((request, response) => {
    void sendCompressed(request, response, folder.path).then((sent) => {
      if (!sent) response.writeHead(404).end()
    })
  })
  await listen(http, { host: '127.0.0.1', port: 0 })
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${portOf(http)}/_next/static/${path}`, {
      ...init,
      headers: { 'accept-encoding': 'gzip, br', ...init.headers },
    })
  return {
    get,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

test('PF-8 a script that the build compressed is sent so, to be kept for a year', async () => {
  await using pages = await startStatic()
  const script = await pages.get('chunks/0a-b_c~1.js')
  expect(script.status).toBe(200)
  expect(script.headers.get('content-encoding')).toBe('br')
  expect(script.headers.get('content-type')).toBe('application/javascript; charset=UTF-8')
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(script.headers.get('vary')).toBe('Accept-Encoding')
  expect(await script.text()).toBe(SCRIPT)
  const style = await pages.get('chunks/a.css')
  expect(style.headers.get('content-type')).toBe('text/css; charset=UTF-8')
  const head = await pages.get('chunks/a.css', { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test.for([
  ['a browser that reads gzip only', 'chunks/a.css', { headers: { 'accept-encoding': 'gzip' } }],
  ['a browser that refuses Brotli', 'chunks/a.css', { headers: { 'accept-encoding': 'gzip, br;q=0' } }],
  ['a method that asks for nothing', 'chunks/a.css', { method: 'POST' }],
  ['a file that the build does not have', 'chunks/other.js', {}],
  ['a file of another kind', 'chunks/a.css.br', {}],
  ['a file outside of the folder', '..%2fsecret.js', {}],
  ['a folder whose name begins with a dot', '%2e%2e/secret.js', {}],
] satisfies [string, string, RequestInit][])(
  'PF-8 nothing compressed is sent for %s',
  async ([, path, init]) => {
    await using pages = await startStatic()
    expect((await pages.get(path, init)).status).toBe(404)
  },
)
