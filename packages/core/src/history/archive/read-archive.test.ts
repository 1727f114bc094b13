import { createHash } from 'node:crypto'
import { newHash } from '@palimpsest/testing/new-hash.ts'
import { given } from '@palimpsest/testing/store-contract/fixtures.ts'
import { expect, test } from 'vitest'
import { AppError } from '../../domain/errors.ts'
import { ARCHIVE_LIMITS, type ArchiveEntry } from './archive-format.ts'
import { BrokenArchive, readArchive } from './read-archive.ts'

const NOW = 5_000
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

function entry(name: string, text: string, size = text.length): ArchiveEntry {
  return { name, size, content: given([new TextEncoder().encode(text)]) }
}

const head = (over: object = {}, size?: number) =>
  entry(
    'palimpsest.json',
    JSON.stringify({ format: 'palimpsest-archive', version: 1, createdAt: NOW, ...over }),
    size,
  )
const HEAD_TEXT = JSON.stringify({ format: 'palimpsest-archive', version: 1, createdAt: NOW })
const SETTINGS = '{"instructions":"Be short."}'

/** A manifest that names these entries, and `count` of them. */
function manifest(entries: [name: string, text: string][], count = entries.length) {
  const lines = entries.map(([name, text]) =>
    JSON.stringify({ name, bytes: text.length, sha256: sha256(text) }),
  )
  return entry('manifest.jsonl', [JSON.stringify({ entries: count }), ...lines, ''].join('\n'))
}

function openImport(known: Record<string, { pendingSince: number | null }> = {}, fault?: Error) {
  const kept: string[] = []
  const taken: unknown[] = []
  const keeper = {
    get: (hash: string) => Promise.resolve(known[hash] ?? null),
    async keep(content: AsyncIterable<Uint8Array>, _: string, hash: string) {
      if (fault !== undefined) throw fault
      const text = Buffer.concat(await Array.fromAsync(content)).toString()
      if (sha256(text) !== hash) return null
      kept.push(text)
      return { hash }
    },
  }
  const clock = { now: () => NOW, turn: () => Promise.resolve(), elapsed: () => 0 }
  const ports = { keeper, clock, events: { publish: () => {} }, store: {} }
  return {
    kept,
    taken,
    read: (entries: ArchiveEntry[], asked = true) =>
      readArchive(
        // What no session needs is left out.
        ports as never,
        given(entries),
        asked ? async (settings) => void taken.push(settings) : null,
        newHash,
      ),
  }
}

const blob = (text: string, named = text) => entry(`blobs/text/plain/${sha256(named)}`, text)
const blobIn = (text: string): [string, string] => [`blobs/text/plain/${sha256(text)}`, text]
const HEAD: [string, string] = ['palimpsest.json', HEAD_TEXT]

test('SX-12 an archive is complete when its manifest names every entry, with its content, and no other', async () => {
  const { read, kept } = openImport()
  const report = await read([head(), blob('a'), blob('b'), manifest([HEAD, blobIn('a'), blobIn('b')])])
  expect(report).toMatchObject({
    complete: true,
    problems: [],
    files: { imported: 2, skipped: 0, failed: 0 },
  })
  expect(kept).toEqual(['a', 'b'])
  const wrong = [
    { name: 'an entry too few', manifest: manifest([HEAD, blobIn('a')]) },
    { name: 'an entry too many', manifest: manifest([HEAD, blobIn('a'), blobIn('b'), blobIn('c')]) },
    { name: 'a count too low', manifest: manifest([HEAD, blobIn('a'), blobIn('b')], 2) },
    { name: 'a count too high', manifest: manifest([HEAD, blobIn('a'), blobIn('b')], 4) },
    { name: 'other content', manifest: manifest([HEAD, blobIn('a'), [blobIn('b')[0], 'x']]) },
  ]
  for (const one of wrong) {
    const { complete } = await openImport().read([head(), blob('a'), blob('b'), one.manifest])
    expect([one.name, complete]).toEqual([one.name, false])
  }
  expect((await openImport().read([head(), blob('a')])).complete).toBe(false)
})

test('SX-12 a problem of the manifest says whether the entry is missing or differs', async () => {
  const missing = await openImport().read([head(), manifest([HEAD, blobIn('gone')])])
  expect(missing.problems).toMatchObject([{ reason: 'It is missing from the archive.' }])
  const other = await openImport().read([head(), blob('a'), manifest([HEAD, [blobIn('a')[0], 'x']])])
  expect(other.problems).toMatchObject([{ reason: 'It is not as the manifest says.' }])
})

test('SX-12 settings are taken once, when they are asked for and as the manifest says', async () => {
  const whole = () => [
    head(),
    entry('settings.json', SETTINGS),
    manifest([HEAD, ['settings.json', SETTINGS]]),
  ]
  const lab = openImport()
  expect((await lab.read(whole())).settings).toBe('imported')
  expect(lab.taken).toEqual([JSON.parse(SETTINGS)])
  const notAsked = openImport()
  expect((await notAsked.read(whole(), false)).settings).toBe('not-asked')
  const changed = openImport()
  const report = await changed.read([
    head(),
    entry('settings.json', SETTINGS),
    manifest([HEAD, ['settings.json', '{}']]),
  ])
  expect([report.settings, changed.taken]).toEqual(['none', []])
  const unnamed = openImport()
  expect((await unnamed.read([head(), entry('settings.json', SETTINGS)])).settings).toBe('none')
  expect([notAsked.taken, unnamed.taken]).toEqual([[], []])
  const broken = await openImport().read([
    head(),
    entry('settings.json', '{'),
    manifest([HEAD, ['settings.json', '{']]),
  ])
  expect(broken).toMatchObject({
    settings: 'none',
    problems: [{ name: 'settings.json', reason: 'It is not JSON.' }],
  })
})

test('SX-12 a file that is here is skipped, one that is about to go is kept again, and another content fails', async () => {
  const lab = openImport({ [sha256('here')]: { pendingSince: null }, [sha256('going')]: { pendingSince: 1 } })
  const report = await lab.read([head(), blob('here'), blob('going'), blob('new'), blob('forged', 'true')])
  expect(report.files).toEqual({ imported: 2, skipped: 1, failed: 1 })
  expect(lab.kept).toEqual(['going', 'new'])
  expect(report.problems).toMatchObject([{ reason: 'Its content does not have the SHA-256 in its name.' }])
})

test('SX-12 an entry that is there twice, has another name or is too large is a problem, and the rest goes on', async () => {
  const lab = openImport()
  const report = await lab.read([
    head(),
    head(),
    blob('a'),
    blob('a'),
    entry('../etc/passwd', 'x'),
    entry('settings.json', '{}', ARCHIVE_LIMITS.smallBytes + 1),
    blob('b'),
  ])
  expect(report.problems.map(({ reason }) => reason)).toEqual([
    'An archive has this entry once.',
    'An archive has this entry once.',
    'No archive has an entry of this name.',
    `It has more than ${ARCHIVE_LIMITS.smallBytes} bytes.`,
  ])
  expect(lab.kept).toEqual(['a', 'b'])
  const exact = await openImport().read([head(), entry('settings.json', '{}', ARCHIVE_LIMITS.smallBytes)])
  expect(exact.problems).toEqual([])
})

test('SX-12 an archive beyond its bytes ends with what was read, and one without a beginning is none', async () => {
  const lab = openImport()
  const most = ARCHIVE_LIMITS.bytes - HEAD_TEXT.length
  const large = (size: number) => [head(), entry('x', '', size), blob('a')]
  expect((await lab.read(large(most - 1))).problems.map(({ name }) => name)).toEqual(['x'])
  const beyond = await openImport().read(large(most))
  expect(beyond).toMatchObject({ complete: false, files: { imported: 0 } })
  expect(beyond.problems.at(-1)?.reason).toBe('The archive is larger than an import takes.')
  for (const entries of [[], [blob('a')], [head({ version: 2 })], [head({}, ARCHIVE_LIMITS.bytes + 1)]])
    await expect(openImport().read(entries)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('SX-12 an archive that breaks off is reported as not complete, and any other failure ends the import', async () => {
  async function* breaks(error: Error) {
    yield head()
    yield blob('a')
    throw error
  }
  const read = (error: Error) => {
    const { read: _, ...lab } = openImport()
    const keeper = { get: () => Promise.resolve(null), keep: () => Promise.resolve({}) }
    const ports = { keeper, clock: { now: () => NOW }, events: { publish: () => {} }, store: {} }
    return { ...lab, report: readArchive(ports as never, breaks(error), null, newHash) }
  }
  expect(await read(new BrokenArchive('It breaks off.')).report).toMatchObject({
    complete: false,
    files: { imported: 1 },
    problems: [{ name: '', reason: 'It breaks off.' }],
  })
  await expect(read(new Error('The store is full')).report).rejects.toThrow('The store is full')
})

test('SX-12 a refused entry is a problem of the report, and a fault of this server ends the import', async () => {
  const entries = () => [head(), blob('a'), manifest([HEAD, blobIn('a')])]
  const refused = await openImport({}, new AppError('INVALID_INPUT', 'Too large.')).read(entries())
  expect(refused).toMatchObject({ files: { imported: 0, failed: 1 } })
  expect(refused.problems).toMatchObject([{ reason: 'Too large.' }])
  const fault = new Error('The disk broke.')
  await expect(openImport({}, fault).read(entries())).rejects.toBe(fault)
})
