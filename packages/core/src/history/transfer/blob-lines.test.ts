import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { sha256 } from '../../domain/values/sha256.ts'

const TEXT = 'Oak galls and iron. '.repeat(10_000)

async function exported(lab: CoreLab, format: 'jsonl' | 'json', files = true): Promise<string> {
  const { id: sessionId } = await lab.sessions.create({ id: 'ses_files', workspaceRoot: null })
  lab.provider.script(reply({ text: 'Seen' }))
  const url = `data:text/plain;base64,${btoa(TEXT)}`
  const parts = [{ type: 'file' as const, mediaType: 'text/plain', filename: 'ink.txt', url }]
  const { runId } = await lab.sessions.send({ sessionId, message: { parts } })
  await lab.chunksOf(sessionId, runId ?? '')
  const pieces = await Array.fromAsync(lab.sessions.history.export({ sessionId, format, files }))
  return pieces.join('')
}

async function textOf(lab: CoreLab): Promise<string | null> {
  const content = await lab.core.blobs.read(await sha256(TEXT))
  if (content === null) return null
  const pieces = await Array.fromAsync(content, (piece) => new TextDecoder().decode(piece))
  return pieces.join('')
}

test.for(['jsonl', 'json'] as const)(
  'OB-1 DA-15 an export in %s has the files when asked, and an import brings them back',
  async (format) => {
    await using from = await openCoreLab()
    await using to = await openCoreLab()
    const data = await exported(from, format)
    const session = await to.sessions.history.import([data])
    expect(await textOf(to)).toBe(TEXT)
    const hash = await sha256(TEXT)
    expect(await to.core.blobs.get(hash)).toMatchObject({ pendingSince: null, mediaType: 'text/plain' })
    const again = to.sessions.history.export({ sessionId: session.id, format, files: true })
    expect((await Array.fromAsync(again)).join('')).toBe(data)
  },
)

test('OB-1 an export without files is imported without them, and the message stays', async () => {
  await using from = await openCoreLab()
  await using to = await openCoreLab()
  const session = await to.sessions.history.import([await exported(from, 'jsonl', false)])
  const { items } = await to.sessions.messages({ sessionId: session.id })
  expect(items[0]?.parts).toMatchObject([{ type: 'file', filename: 'ink.txt' }])
  expect(await textOf(to)).toBeNull()
})

test('OB-1 SX-12 a file that is damaged, too large or missing in an export is refused by its line', async () => {
  await using from = await openCoreLab()
  await using to = await openCoreLab()
  const lines = (await exported(from, 'jsonl')).trimEnd().split('\n')
  const last = JSON.parse(lines.at(-1) ?? '')
  const withLast = (data: object) => [...lines.slice(0, -1), JSON.stringify({ ...last, data })].join('\n')
  const { base64 } = last.data
  const damaged: [string, string][] = [
    [withLast({ ...last.data, hash: '0'.repeat(64) }), `Line ${lines.length} cannot be imported: hash`],
    [
      withLast({ ...last.data, base64: `${base64.slice(0, -4)}AAAA` }),
      'hash of a blob is not that of its content',
    ],
    [withLast({ ...last.data, base64: '<script>' }), 'base64 of a blob must be base64'],
    [withLast({ ...last.data, base64: 'A'.repeat(30_000_000) }), 'has more than 20971520 bytes'],
    [withLast({ ...last.data, media_type: 5 }), 'media_type of a blob must be a text'],
    [lines.slice(0, -1).join('\n'), 'has 0 files, and had 1'],
  ]
  for (const [data, message] of damaged)
    await expect(to.sessions.history.import([data])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      field: 'data',
      message: expect.stringContaining(message),
    })
  expect((await to.sessions.list({})).items).toEqual([])
})
