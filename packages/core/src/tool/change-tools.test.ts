import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import { sha256 } from '../domain/values/sha256.ts'
import { editTool } from './edit.ts'
import { ToolError, type ToolRuntime } from './tool.ts'
import { writeTool } from './write.ts'

function openLab(texts: Record<string, string> = {}, over: Partial<ToolRuntime> = {}) {
  const files = createMemoryFiles(texts)
  const runtime = toolRuntime({ files, ...over })
  const text = (path: string) => {
    const bytes = files.contents.get(path)
    return bytes === undefined ? null : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  }
  return { files, runtime, text }
}

const write = (runtime: ToolRuntime, path: string, content: string) =>
  writeTool.execute({ path, content }, runtime)
const edit = (runtime: ToolRuntime, path: string, old: string, now: string) =>
  editTool.execute({ path, edits: [{ old, new: now }] }, runtime)

test('TO-1 write makes a new file, and its result is the difference with both stamps', async () => {
  const { runtime, text } = openLab()
  const result = await write(runtime, 'a/../notes/b.md', 'one\ntwo\n')
  expect(text('notes/b.md')).toBe('one\ntwo\n')
  expect(result).toEqual({
    text: 'Created notes/b.md.\n--- /dev/null\n+++ b/notes/b.md\n@@ -0,0 +1,2 @@\n+one\n+two\n',
    data: {
      change: expect.objectContaining({ path: 'notes/b.md', created: true, added: 2, removed: 0 }),
      path: 'notes/b.md',
      before: null,
      stamp: await sha256('one\ntwo\n'),
    },
  })
})

test('TO-1 write replaces a file, and names what was there before', async () => {
  const { runtime, text } = openLab({ 'a.md': 'one\n' })
  const result = await write(runtime, 'a.md', 'two\n')
  expect(text('a.md')).toBe('two\n')
  expect(result.text.startsWith('Changed a.md.\n--- a/a.md\n')).toBe(true)
  expect(result.data).toMatchObject({ before: await sha256('one\n'), stamp: await sha256('two\n') })
})

test('TO-1 a write that changes nothing is an error, also where only half a character differs', async () => {
  const { runtime } = openLab({ 'a.md': 'x\uFFFD' })
  await expect(write(runtime, 'a.md', 'x\uFFFD')).rejects.toThrow('The file has this content already.')
  await expect(write(runtime, 'a.md', 'x\uD800')).rejects.toThrow('The file has this content already.')
})

test('TO-1 a new file may be empty, and half a character is never written', async () => {
  const { runtime, files, text } = openLab()
  await write(runtime, 'empty', '')
  expect(files.contents.get('empty')).toHaveLength(0)
  await write(runtime, 'half', 'a\uDC00b')
  expect(text('half')).toBe('a\uFFFDb')
})

test.for([
  ['utf-8 with a mark', [0xef, 0xbb, 0xbf, 0x61], [0xef, 0xbb, 0xbf, 0x62]],
  ['utf-16le', [0xff, 0xfe, 0x61, 0], [0xff, 0xfe, 0x62, 0]],
  ['utf-16be', [0xfe, 0xff, 0, 0x61], [0xfe, 0xff, 0, 0x62]],
] as const)('TO-1 write and edit keep the encoding of a file in %s', async ([, before, after]) => {
  const byEdit: typeof write = (runtime, path, now) => edit(runtime, path, 'a', now)
  for (const change of [write, byEdit]) {
    const { runtime, files } = openLab()
    files.contents.set('a', Uint8Array.from(before))
    await change(runtime, 'a', 'b')
    expect([...(files.contents.get('a') ?? [])]).toEqual([...after])
  }
})

test.for([
  ['bytes that are no UTF-8', [0xff, 0x41, 0x80]],
  ['a NUL', [0x61, 0x00]],
  ['half of a UTF-16 character', [0xff, 0xfe, 0x00, 0xd8]],
] as const)('TO-1 a file with %s is not written over', async ([, bytes]) => {
  const { runtime, files } = openLab()
  files.contents.set('a.bin', Uint8Array.from(bytes))
  await expect(write(runtime, 'a.bin', 'x')).rejects.toThrow(/^a\.bin is binary/)
  await expect(edit(runtime, 'a.bin', 'A', 'x')).rejects.toThrow(/^a\.bin is binary/)
  expect([...(files.contents.get('a.bin') ?? [])]).toEqual([...bytes])
})

test('TO-1 a file that somebody changed since the model last read it is refused and named', async () => {
  const { runtime, text } = openLab({ 'a.md': 'theirs\n' }, { seen: () => 'an older stamp' })
  const message =
    'a.md was changed by somebody else since you last read it. Nothing was written: read it again.'
  await expect(write(runtime, 'a.md', 'mine\n')).rejects.toThrow(message)
  await expect(edit(runtime, 'a.md', 'theirs', 'mine')).rejects.toThrow(message)
  expect(text('a.md')).toBe('theirs\n')
})

test('TO-1 a file that was removed since the model last read it is refused as gone, and is not made again', async () => {
  const { runtime, text } = openLab({}, { seen: () => 'a stamp' })
  await expect(write(runtime, 'a.md', 'mine\n')).rejects.toThrow(/^a\.md is gone since you last read it/)
  expect(text('a.md')).toBeNull()
})

test('TO-1 the stamp is looked up by the located path, and the one of the file itself lets the change through', async () => {
  const stamp = await sha256('one\n')
  const looked: string[] = []
  const seen = (path: string) => {
    looked.push(path)
    return stamp
  }
  const { runtime, text } = openLab({ 'a.md': 'one\n' }, { seen })
  await edit(runtime, './x/../a.md', 'one', 'two')
  expect(looked).toEqual(['a.md'])
  expect(text('a.md')).toBe('two\n')
})

test('PE-2 a preview shows the exact difference and writes nothing', async () => {
  const { runtime, text } = openLab({ 'a.md': 'one\n' })
  const args = { path: 'a.md', edits: [{ old: 'one', new: 'two' }] }
  const preview = await editTool.preview?.(args, runtime)
  expect(preview).toEqual({
    path: 'a.md',
    diff: '--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-one\n+two\n',
    added: 1,
    removed: 1,
    stamp: await sha256('one\n'),
  })
  expect(text('a.md')).toBe('one\n')
  const { data } = await editTool.execute(args, { ...runtime, shown: { stamp: preview?.stamp ?? null } })
  expect(data).toMatchObject({ change: { diff: preview?.diff } })
})

test('PE-2 a change is not made when the file is another one than the person was shown', async () => {
  const { runtime, text } = openLab({ 'a.md': 'other\n' }, { shown: { stamp: 'shown' } })
  const message = 'a.md has changed since a person allowed this change. Nothing was written: read it again.'
  await expect(write(runtime, 'a.md', 'mine\n')).rejects.toThrow(message)
  expect(text('a.md')).toBe('other\n')
  const gone = openLab({}, { shown: { stamp: 'shown' } })
  await expect(write(gone.runtime, 'a.md', 'mine\n')).rejects.toThrow(message)
  const made = openLab({ 'a.md': 'made since\n' }, { shown: { stamp: null } })
  await expect(write(made.runtime, 'a.md', 'mine\n')).rejects.toThrow(message)
  expect(made.text('a.md')).toBe('made since\n')
})

test('TO-1 a file that changes between the read and the write of a call is a conflict that the model reads', async () => {
  const { runtime, files, text } = openLab({ 'a.md': 'one\n' })
  const racing = {
    ...files,
    async read(root: string, path: string) {
      const bytes = await files.read(root, path)
      files.contents.set(path, new TextEncoder().encode('theirs\n'))
      return bytes
    },
  }
  const refused = edit({ ...runtime, files: racing }, 'a.md', 'one', 'two')
  await expect(refused).rejects.toBeInstanceOf(ToolError)
  await expect(refused).rejects.toThrow('a.md was changed by somebody else.')
  expect(text('a.md')).toBe('theirs\n')
})

test('TO-4 a call whose run stopped before the write leaves the file as it is', async () => {
  const stop = new AbortController()
  const { runtime, files, text } = openLab({ 'a.md': 'one\n' }, { signal: stop.signal })
  const stopping = {
    ...files,
    async read(root: string, path: string) {
      stop.abort(new Error('Stopped'))
      return await files.read(root, path)
    },
  }
  await expect(write({ ...runtime, files: stopping }, 'a.md', 'two\n')).rejects.toThrow('Stopped')
  expect(text('a.md')).toBe('one\n')
})

test('TO-1 an edit of a file that does not exist names the tool for new files', async () => {
  const { runtime, text } = openLab()
  await expect(edit(runtime, 'new.md', 'a', 'b')).rejects.toThrow(
    'new.md does not exist. Use write for a new file.',
  )
  expect(text('new.md')).toBeNull()
})

test('TO-1 of several edits all are made or none', async () => {
  const { runtime, text } = openLab({ 'a.md': 'one two\n' })
  const call = (last: string) =>
    editTool.execute(
      {
        path: 'a.md',
        edits: [
          { old: 'one', new: '1' },
          { old: last, new: '2' },
        ],
      },
      runtime,
    )
  await expect(call('three')).rejects.toThrow('Edit 2 of 2: The old text was not found. Nothing was changed.')
  expect(text('a.md')).toBe('one two\n')
  expect(await call('two')).toMatchObject({ data: { rungs: ['exact', 'exact'] } })
  expect(text('a.md')).toBe('1 2\n')
})

test('TO-1 a later edit works on what the one before it left', async () => {
  const { runtime, text } = openLab({ 'a.md': 'a\n' })
  const edits = [
    { old: 'a', new: 'b b' },
    { old: 'b', new: 'c', all: true },
  ]
  await editTool.execute({ path: 'a.md', edits }, runtime)
  expect(text('a.md')).toBe('c c\n')
})

test('TO-1 an old text that was found loosely is said so once, and an exact one is not', async () => {
  const { runtime } = openLab({ 'a.md': '  one\n  two\n“x”\n' })
  const edits = [
    { old: 'one\ntwo', new: 'two\none' },
    { old: '"x"', new: 'y' },
  ]
  const { text, data } = await editTool.execute({ path: 'a.md', edits }, runtime)
  expect(text).toContain('The old text was found but for indentation and typographic characters.')
  expect(data).toMatchObject({ rungs: ['indentation', 'typographic characters'] })
  const exact = await edit(runtime, 'a.md', 'y', 'z')
  expect(exact.text).not.toContain('found but for')
})

test('TO-3 a difference over 100,000 characters is cut, and the result names the file for the rest', async () => {
  const { runtime } = openLab()
  const result = await write(runtime, 'long.txt', 'x'.repeat(200_000))
  expect(result).toMatchObject({ truncated: true, outputPath: 'long.txt' })
  expect(result.text.length).toBeLessThan(100_100)
  expect(result.data).toMatchObject({ change: { truncated: true, added: 1 } })
})

test('TO-1 a path outside and a workspace that is not allowed are tool errors, also before a person is asked', async () => {
  const { runtime } = openLab()
  const without = { ...runtime, workspaceRoot: null }
  for (const tool of [writeTool, editTool]) {
    const args = { path: '../x', content: '', edits: [] }
    await expect(tool.requires(args, runtime)).rejects.toBeInstanceOf(ToolError)
    await expect(tool.requires({ ...args, path: 'x' }, without)).rejects.toThrow(
      'not allowed by the operator',
    )
    expect(await tool.requires({ ...args, path: 'b/../a' }, runtime)).toEqual([
      { permission: 'edit', pattern: 'a' },
    ])
  }
  await expect(write(without, 'x', 'y')).rejects.toThrow('not allowed by the operator')
})

test('TO-1 an internal failure of the files is no message for the model', async () => {
  const { runtime, files } = openLab()
  const broken = { ...files, read: () => Promise.reject(new AppError('INTERNAL', 'EIO /srv/secret')) }
  await expect(write({ ...runtime, files: broken }, 'x', 'y')).rejects.not.toBeInstanceOf(ToolError)
})

test.for([
  ['write without content', writeTool, { path: 'a' }],
  ['write without a path', writeTool, { path: '', content: 'x' }],
  ['write to a path of 4,097 characters', writeTool, { path: 'x'.repeat(4_097), content: 'x' }],
  ['edit without edits', editTool, { path: 'a', edits: [] }],
  ['edit with 101 edits', editTool, { path: 'a', edits: Array(101).fill({ old: 'a', new: 'b' }) }],
  ['edit with a number', editTool, { path: 'a', edits: [{ old: 'a', new: 1 }] }],
] as const)('TO-1 %s is a bad argument', ([, tool, args]) => {
  expect(tool.input.safeParse(args).success).toBe(false)
})

test('TO-1 what was written is what the next edit finds, for any text', async () => {
  const texts = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((one) => !one.includes('\0'))
  await fc.assert(
    fc.asyncProperty(texts, texts, async (first, second) => {
      const [one, two] = [`<${first.toWellFormed()}>`, `<${second.toWellFormed()}>`]
      fc.pre(one !== two)
      const { runtime, text } = openLab()
      await write(runtime, 'a', one)
      await edit(runtime, 'a', one, two)
      expect(text('a')).toBe(two)
    }),
    { numRuns: 30 },
  )
})
