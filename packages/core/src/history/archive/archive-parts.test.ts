import { newHash } from '@palimpsest/testing/new-hash.ts'
import { given } from '@palimpsest/testing/store-contract/fixtures.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sessionIdOfHash } from '../../domain/ids.ts'
import { ARCHIVE_LIMITS, blobName, parseEntryName, sessionName } from './archive-format.ts'
import { createReport } from './archive-report.ts'
import { collect } from './bytes-of.ts'
import { createContentDigest } from './content-digest.ts'
import { parentsFirst } from './parents-first.ts'
import { readManifest } from './read-manifest.ts'

const HASH = 'a1'.repeat(32)
const text = (value: string) => given([new TextEncoder().encode(value)])

test('OB-1 SX-12 a name of an entry is exactly one of those that an archive has, and no path out of it', () => {
  expect(parseEntryName(sessionName('ses_1', HASH))).toEqual({ type: 'session', id: 'ses_1', hash: HASH })
  expect(parseEntryName(blobName('image/svg+xml', HASH))).toEqual({
    type: 'blob',
    mediaType: 'image/svg+xml',
    hash: HASH,
  })
  expect(['palimpsest.json', 'settings.json', 'manifest.jsonl'].map(parseEntryName)).toEqual([
    { type: 'head' },
    { type: 'settings' },
    { type: 'manifest' },
  ])
  const wrong = [
    '',
    '/',
    '../settings.json',
    './settings.json',
    'constructor',
    `sessions/../${HASH}.jsonl`,
    `sessions/a/${HASH}`,
    `sessions/a/${HASH}.jsonl/`,
    `sessions/a/${HASH}.jsonl/b`,
    `sessions/a b/${HASH}.jsonl`,
    `sessions/a/${HASH.toUpperCase()}.jsonl`,
    `blobs/${HASH}`,
    `blobs/../../${HASH}`,
    `blobs/IMAGE/png/${HASH}`,
    `blobs/image/png/${HASH}/x`,
    `blobs/image/png/${HASH}\0`,
    'sessions\\a\\b',
  ]
  expect(wrong.filter((name) => parseEntryName(name) !== null)).toEqual([])
})

test('OB-1 an entry of any text is no name, or one that is written the same again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webPath()), (name) => {
      const parsed = parseEntryName(name)
      if (parsed?.type === 'session') expect(sessionName(parsed.id, parsed.hash)).toBe(name)
      if (parsed?.type === 'blob') expect(blobName(parsed.mediaType, parsed.hash)).toBe(name)
    }),
  )
})

test('OB-1 every id comes once, and none before its parent where its parent is there', () => {
  const link = fc.record({
    id: fc.nat({ max: 12 }).map(String),
    parentId: fc.option(fc.nat({ max: 14 }).map(String)),
  })
  fc.assert(
    fc.property(fc.uniqueArray(link, { selector: ({ id }) => id }), (links) => {
      const order = parentsFirst(links)
      expect(order.toSorted()).toEqual(links.map(({ id }) => id).toSorted())
      // A larger id is no parent of a smaller one, so that there are no circles.
      const forward = links.map((one) =>
        Number(one.parentId) < Number(one.id) ? one : { ...one, parentId: null },
      )
      const placed = parentsFirst(forward)
      for (const { id, parentId } of forward)
        if (parentId !== null && placed.includes(parentId))
          expect(placed.indexOf(parentId)).toBeLessThan(placed.indexOf(id))
    }),
  )
})

test('OB-1 ids of copies are session ids, the same for the same hash', () => {
  expect(sessionIdOfHash(HASH)).toBe(sessionIdOfHash(HASH))
  expect(sessionIdOfHash(HASH)).toMatch(/^ses_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  expect(sessionIdOfHash('b'.repeat(64))).not.toBe(sessionIdOfHash(HASH))
})

test('OB-1 the content of a session is the same wherever it is, and another with any other word', () => {
  const digestOf = (title: string, over: object = {}, metadata = '{}') => {
    const digest = createContentDigest(newHash)
    digest.add({ type: 'session', data: { id: 'a', title, ...over } })
    digest.add({ type: 'message', data: { id: 'm', metadata_json: metadata } })
    return digest.value()
  }
  const plain = digestOf('One')
  expect(digestOf('One', { parent_id: 'p', worker_id: 'w', workspace_root: '/x', updated_at: 4 })).toBe(plain)
  expect(digestOf('One', {}, '{"snapshot_id":"s"}')).toBe(plain)
  expect(digestOf('Two')).not.toBe(plain)
  expect(digestOf('One', { model_json: '{}' })).not.toBe(plain)
  expect(digestOf('One', {}, 'not JSON')).not.toBe(plain)
})

test('SX-12 a report names the first problems and counts the others', () => {
  const { report, problem } = createReport()
  for (let at = 0; at < ARCHIVE_LIMITS.problems + 3; at++) problem('x'.repeat(500), 'Wrong.')
  expect(report.problems).toHaveLength(ARCHIVE_LIMITS.problems)
  expect(report.problems[0]).toEqual({ name: 'x'.repeat(200), title: null, reason: 'Wrong.' })
  expect(report.moreProblems).toBe(3)
})

test('SX-12 a manifest is read line by line, and a line that names no entry is refused by its number', async () => {
  const clock = { turn: () => Promise.resolve() }
  const line = { name: 'settings.json', bytes: 3, sha256: HASH }
  const { entries, lines } = await readManifest(text(`{"entries":1}\n${JSON.stringify(line)}\n`), clock)
  expect([entries, await Array.fromAsync(lines)]).toEqual([1, [line]])
  const wrong = await readManifest(text(`{"entries":1}\n${JSON.stringify({ ...line, sha256: 'x' })}`), clock)
  await expect(Array.fromAsync(wrong.lines)).rejects.toMatchObject({
    message: expect.stringContaining('Line 2'),
  })
  for (const content of ['', '[]\n', '{"entries":"1"}\n', 'no JSON\n'])
    await expect(readManifest(text(content), clock)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('SX-12 bytes beyond a bound are not collected', async () => {
  expect(await collect(text('abc'), 3)).toEqual(new TextEncoder().encode('abc'))
  expect(await collect(text('abcd'), 3)).toBeNull()
  expect(await collect(given([]), 3)).toEqual(new Uint8Array())
})
