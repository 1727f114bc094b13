import { gunzipSync, gzipSync } from 'node:zlib'
import { ARCHIVE_LIMITS } from '@palimpsest/core'
import { reply } from '@palimpsest/testing'
import { createTarPacker, packTar, type TarEntry, unpackTar } from 'modern-tar'
import { expect, test } from 'vitest'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { newHash } from './export-archive.ts'

const GZIP = { 'content-type': 'application/gzip' }
const TOKEN = 'correct-horse-battery-staple'
const NOTHING = { imported: 0, copied: 0, skipped: 0, failed: 0 }

/** The status and the result of a call. */
async function call(server: TestServer, path: string, input?: object) {
  const procedure = PROCEDURES.find((one) => one.path === path)
  if (procedure === undefined) throw new Error(`There is no procedure ${path}.`)
  const { status, body } = await callProcedure(server.url, procedure, input)
  return { status, data: JSON.parse(body).result?.data }
}

type File = { name: string; data: Uint8Array }

function exportAll(server: TestServer, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.url}/api/v1/archive`, { headers })
}

function importAll(server: TestServer, body: BodyInit, query = ''): Promise<Response> {
  return fetch(`${server.url}/api/v1/archive${query}`, { method: 'POST', headers: GZIP, body })
}

async function bytesOf(server: TestServer): Promise<Buffer> {
  return Buffer.from(await (await exportAll(server)).arrayBuffer())
}

async function filesIn(archive: Buffer): Promise<File[]> {
  const entries = await unpackTar(new Uint8Array(gunzipSync(archive)))
  return entries.map(({ header, data }) => ({ name: header.name, data: data ?? new Uint8Array() }))
}

async function pack(files: readonly (File | TarEntry)[]): Promise<Buffer> {
  const entries = files.map((file) =>
    'header' in file ? file : { header: { name: file.name, size: file.data.length }, body: file.data },
  )
  return gzipSync(await packTar(entries))
}

function textFile(name: string, text: string): File {
  return { name, data: new TextEncoder().encode(text) }
}

function sha256(data: Uint8Array): string {
  const hash = newHash()
  hash.update(data)
  return hash.digest()
}

/** A server with a talk, a branch of it, an archived and a deleted chat, a file and instructions. */
async function openFull(): Promise<TestServer> {
  const server = await startTestServer({ store: 'sqlite' })
  await call(server, 'settings.set', { instructions: 'Be brief.' })
  await call(server, 'session.create', { id: 'talk', title: 'A talk', workspaceRoot: null })
  server.provider.script(reply({ text: 'Fine.' }))
  const blob = await fetch(`${server.url}/api/v1/blobs`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: 'a,b\n'.repeat(20_000),
  })
  const { hash } = await blob.json()
  const file = { type: 'file', mediaType: 'text/csv', filename: 'a.csv', url: `/api/v1/blobs/${hash}` }
  const message = { id: 'q1', parts: [file, { type: 'text', text: 'How is it?' }] }
  await call(server, 'session.send', { sessionId: 'talk', message })
  await expect.poll(() => server.activeRuns).toBe(0)
  await call(server, 'session.branch', { sessionId: 'talk', fromMessageId: 'q1' })
  await call(server, 'session.create', { id: 'gone', title: 'Gone', workspaceRoot: null })
  await call(server, 'session.delete', { sessionId: 'gone' })
  await call(server, 'session.create', { id: 'old', title: 'Old', workspaceRoot: null })
  await call(server, 'session.archive', { sessionId: 'old' })
  return server
}

test('OB-1 UI-31 everything comes back from one file on another server, and a second import changes nothing', async () => {
  await using from = await openFull()
  await using to = await startTestServer({ store: 'sqlite' })
  const answer = await exportAll(from)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/gzip')
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="palimpsest-\d{4}-\d\d-\d\d\.tar\.gz"$/,
  )
  const archive = Buffer.from(await answer.arrayBuffer())
  const files = await filesIn(archive)
  expect(files.map(({ name }) => name.split('/')[0])).toEqual([
    'palimpsest.json',
    'settings.json',
    ...files.slice(2, -1).map(({ name }) => (name.startsWith('blobs/text/csv/') ? 'blobs' : 'sessions')),
    'manifest.jsonl',
  ])

  const report = await (await importAll(to, new Uint8Array(archive))).json()
  expect(report).toEqual({
    sessions: { ...NOTHING, imported: 4 },
    files: { imported: 1, skipped: 0, failed: 0 },
    settings: 'not-asked',
    complete: true,
    problems: [],
    moreProblems: 0,
  })
  const sessionsOf = (all: File[]) => all.filter(({ name }) => name.startsWith('sessions/talk/'))
  expect(sessionsOf(await filesIn(await bytesOf(to)))).toEqual(sessionsOf(files))
  const again = await (await importAll(to, new Uint8Array(archive), '?settings=true')).json()
  expect(again).toMatchObject({ sessions: { ...NOTHING, skipped: 4 }, settings: 'imported', complete: true })
  expect((await call(to, 'settings.get')).data).toMatchObject({ instructions: 'Be brief.' })
  const bin = await call(to, 'session.list', { deleted: true })
  expect(bin.data.items).toMatchObject([{ id: 'gone' }])
})

test('UI-31 SX-8 settings are in the archive without keys, and the manifest has the SHA-256 of each entry', async () => {
  await using server = await openFull()
  const key = 'sk-secret-of-this-test'
  const entered = {
    id: 'own',
    kind: 'openai-compatible',
    baseURL: server.provider.baseURL,
    apiKey: key,
    models: ['m'],
  }
  expect((await call(server, 'provider.put', entered)).status).toBe(200)
  const files = await filesIn(await bytesOf(server))
  const text = files.map(({ data }) => new TextDecoder().decode(data)).join('')
  expect(text).not.toContain(key)
  expect(text).toContain('Be brief.')
  const lines = new TextDecoder()
    .decode(files.at(-1)?.data)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines[0]).toEqual({
    version: 1,
    sessions: 4,
    files: 1,
    entries: files.length - 1,
    bytes: files.slice(0, -1).reduce((sum, { data }) => sum + data.length, 0),
    missing: [],
  })
  expect(lines.slice(1)).toEqual(
    files.slice(0, -1).map(({ name, data }) => ({ name, bytes: data.length, sha256: sha256(data) })),
  )
})

test('SX-12 what is hostile in an archive is refused by name, and the rest is imported', async () => {
  await using from = await openFull()
  await using to = await startTestServer({ store: 'sqlite' })
  const files = await filesIn(await bytesOf(from))
  const manifest = files.at(-1) ?? textFile('', '')
  const isTalk = ({ name }: File) => name.startsWith('sessions/talk/')
  const wrongHash = 'f'.repeat(64)
  const other = textFile(`sessions/talk/${sha256(new TextEncoder().encode('{}'))}.jsonl`, '{}')
  const hostile = [
    ...files.filter((file) => file !== manifest && !isTalk(file)),
    ...files.filter(isTalk).map(({ data }) => ({ name: `sessions/talk/${wrongHash}.jsonl`, data })),
    textFile('../../etc/passwd', 'root'),
    textFile('/sessions/a/b', 'x'),
    textFile(`blobs/image/png/${wrongHash}`, 'not that'),
    other,
    { header: { name: 'link', size: 0, type: 'symlink' as const, linkname: '/etc/passwd' } },
    manifest,
  ]
  const report = await (await importAll(to, new Uint8Array(await pack(hostile)))).json()
  expect(report).toMatchObject({
    sessions: { imported: 3, failed: 2 },
    files: { imported: 1, failed: 1 },
    complete: false,
  })
  const reasons = Object.fromEntries(
    report.problems.map(({ name, reason }: { name: string; reason: string }) => [name, reason]),
  )
  expect(reasons).toMatchObject({
    [`sessions/talk/${wrongHash}.jsonl`]: 'Its content does not have the SHA-256 in its name.',
    '../../etc/passwd': 'No archive has an entry of this name.',
    '/sessions/a/b': 'No archive has an entry of this name.',
    [`blobs/image/png/${wrongHash}`]: 'Its content does not have the SHA-256 in its name.',
    'link (symlink)': 'No archive has an entry of this name.',
    [files.find(isTalk)?.name ?? '']: 'It is missing from the archive.',
  })
  expect((await call(to, 'session.get', { sessionId: 'talk' })).status).toBe(404)
})

test.for([
  ['text', Buffer.from('not an archive')],
  ['nothing', Buffer.alloc(0)],
  ['an empty tar', gzipSync(Buffer.alloc(1024))],
] as const)('SX-12 a body of %s is refused as no archive', async ([, body]) => {
  await using server = await startTestServer()
  const answer = await importAll(server, new Uint8Array(body))
  expect(answer.status).toBe(400)
  expect((await answer.json()).error.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'body' })
})

test('SX-12 an archive that is newer, or begins with anything else, is refused before the rest is read', async () => {
  await using server = await startTestServer()
  const newer = textFile('palimpsest.json', '{"format":"palimpsest-archive","version":2,"createdAt":1}')
  for (const first of [newer, textFile('other.json', '{}'), textFile('palimpsest.json', 'no JSON')]) {
    const answer = await importAll(
      server,
      new Uint8Array(await pack([first, textFile('settings.json', '{}')])),
    )
    expect(answer.status).toBe(400)
  }
  expect((await call(server, 'session.list', {})).status).toBe(200)
})

test('OB-1 an archive that breaks off keeps the whole sessions before the end, and is reported as not complete', async () => {
  await using from = await openFull()
  const tar = gunzipSync(await bytesOf(from))
  const files = await filesIn(gzipSync(tar))
  for (const share of [0.4, 0.7, 0.95]) {
    await using to = await startTestServer({ store: 'sqlite' })
    const report = await (
      await importAll(to, new Uint8Array(gzipSync(tar.subarray(0, tar.length * share))))
    ).json()
    expect(report.complete).toBe(false)
    expect(report.problems.at(-1)).toMatchObject({ reason: 'The archive is damaged or ends too early.' })
    const rest = await (await importAll(to, new Uint8Array(gzipSync(tar)))).json()
    expect(rest).toMatchObject({ complete: true, problems: [] })
    expect(rest.sessions.imported + rest.sessions.skipped).toBe(
      files.filter(({ name }) => name.startsWith('sessions/')).length,
    )
  }
})

test('SX-12 an entry that claims more bytes than its kind may have is not read into memory', async () => {
  await using server = await startTestServer()
  const head = textFile('palimpsest.json', '{"format":"palimpsest-archive","version":1,"createdAt":1}')
  const { readable, controller } = createTarPacker()
  const written = (async () => {
    const one = controller.add({ name: head.name, size: head.data.length }).getWriter()
    await one.write(head.data)
    await one.close()
    const size = ARCHIVE_LIMITS.smallBytes * 4
    const bomb = controller.add({ name: 'settings.json', size }).getWriter()
    for (let sent = 0; sent < size; sent += 65_536) await bomb.write(new Uint8Array(65_536))
    await bomb.close()
    controller.finalize()
  })()
  const tar = new Uint8Array(await new Response(readable).arrayBuffer())
  await written
  const report = await (await importAll(server, new Uint8Array(gzipSync(tar)))).json()
  expect(report).toMatchObject({
    settings: 'none',
    complete: false,
    problems: [{ name: 'settings.json', reason: `It has more than ${ARCHIVE_LIMITS.smallBytes} bytes.` }],
  })
})

test('SX-8 an archive passes the same checks as a call', async () => {
  await using server = await startTestServer({ settings: { token: TOKEN } })
  const own = { authorization: `Bearer ${TOKEN}` }
  expect((await exportAll(server)).status).toBe(401)
  expect((await exportAll(server, { ...own, origin: 'https://evil.example' })).status).toBe(403)
  expect((await exportAll(server, own)).status).toBe(200)
  const path = `${server.url}/api/v1/archive`
  const sent = (headers: Record<string, string>) => fetch(path, { method: 'POST', headers, body: 'x' })
  expect((await sent(GZIP)).status).toBe(401)
  expect((await sent({ ...own, 'content-type': 'text/plain' })).status).toBe(400)
  expect((await sent({ ...own, ...GZIP, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await fetch(path, { method: 'DELETE', headers: { ...own, ...GZIP } })).status).toBe(405)
  expect(
    (await fetch(`${path}?settings=maybe`, { method: 'POST', headers: { ...own, ...GZIP }, body: 'x' }))
      .status,
  ).toBe(400)
})
