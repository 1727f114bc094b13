import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../domain/errors.ts'
import { readInstructions } from './instructions.ts'
import { levelsOf } from './source-folders.ts'

function read(texts: Record<string, string>, { root = '/w/a/b', own = null as string | null } = {}) {
  const levels = levelsOf(root, createMemoryWorkspaces(['/w', '/other']))
  return readInstructions(createMemoryFiles(texts), { own, levels })
}

test('SY-3 files are read from the outermost allowed folder inward, the nearest last', async () => {
  const { files, cut, warnings } = await read({
    'a/b/CONTEXT.md': 'context',
    'a/b/AGENTS.md': 'near\r\n',
    'AGENTS.md': ' outer ',
    'a/CLAUDE.md': 'middle',
    'a/other/AGENTS.md': 'beside',
  })
  expect(files).toEqual([
    { path: '../../AGENTS.md', source: 'project', text: 'outer' },
    { path: '../CLAUDE.md', source: 'project', text: 'middle' },
    { path: 'AGENTS.md', source: 'project', text: 'near' },
    { path: 'CONTEXT.md', source: 'project', text: 'context' },
  ])
  expect([cut, warnings]).toEqual([[], []])
})

test('SY-3 nothing above the allowed folders is read', () => {
  const paths = levelsOf('/w/a', createMemoryWorkspaces(['/w/a', '/w/a/b']))
  expect(paths).toEqual([{ root: '/w/a', path: '.' }])
  expect(levelsOf('/wide', createMemoryWorkspaces(['/w']))).toEqual([{ root: '/wide', path: '.' }])
})

test('SY-3 of nested allowed folders the outermost counts, and a disk’s root has levels too', () => {
  expect(levelsOf('/w/a/b', createMemoryWorkspaces(['/w/a', '/w']))).toEqual([
    { root: '/w', path: '.' },
    { root: '/w', path: 'a' },
    { root: '/w', path: 'a/b' },
  ])
  expect(levelsOf('/w', createMemoryWorkspaces(['/']))).toEqual([
    { root: '/', path: '.' },
    { root: '/', path: 'w' },
  ])
  expect(levelsOf('C:\\w\\a', createMemoryWorkspaces(['C:\\w']))).toEqual([
    { root: 'C:\\w', path: '.' },
    { root: 'C:\\w', path: 'a' },
  ])
})

test('SY-3 of very many folders the nearest 32 are read', () => {
  const root = `/w${'/x'.repeat(500)}`
  const levels = levelsOf(root, createMemoryWorkspaces(['/w']))
  expect(levels).toHaveLength(32)
  expect(levels.at(-1)?.path).toBe('x/'.repeat(500).slice(0, -1))
})

test('SY-3 the person’s own file comes first, and is not taken for one of the project', async () => {
  const { files } = await read({ 'AGENTS.md': 'mine' }, { own: '/own', root: '/other' })
  expect(files).toEqual([
    { path: 'AGENTS.md', source: 'user', text: 'mine' },
    { path: 'AGENTS.md', source: 'project', text: 'mine' },
  ])
})

test('SY-3 a file with the same text as another one of the project is read once', async () => {
  const { files } = await read({ 'AGENTS.md': 'same', 'CLAUDE.md': 'same\n' }, { root: '/w' })
  expect(files.map(({ path }) => path)).toEqual(['AGENTS.md'])
})

test('SY-3 over 8,000 tokens the nearest files stay, one is cut, and those farther away are left out with a warning', async () => {
  const { files, cut, warnings } = await read({
    'AGENTS.md': 'far',
    'a/AGENTS.md': 'm'.repeat(20_000),
    'a/b/AGENTS.md': 'n'.repeat(20_000),
  })
  expect(files.map(({ path, text }) => [path, text.length])).toEqual([
    ['../AGENTS.md', 12_000],
    ['AGENTS.md', 20_000],
  ])
  expect(cut).toEqual(['../../AGENTS.md', '../AGENTS.md'])
  expect(warnings.map(({ path }) => path)).toEqual(cut)
  expect(warnings[0]?.text).toContain('8000 tokens')
})

test('SY-3 what a file cannot be read for is a warning, and the other files are read', async () => {
  const files = createMemoryFiles({ 'CLAUDE.md': 'fine', 'CONTEXT.md': 'x'.repeat(1_048_577) })
  files.contents.set('AGENTS.md', new Uint8Array([0xff, 0xfe, 0x41]))
  const levels = levelsOf('/w', createMemoryWorkspaces(['/w']))
  const { files: kept, warnings } = await readInstructions(files, { own: null, levels })
  expect(kept.map(({ path }) => path)).toEqual(['CLAUDE.md'])
  expect(warnings).toEqual([
    { path: 'AGENTS.md', text: 'It is not a text in UTF-8.' },
    { path: 'CONTEXT.md', text: 'It is larger than 1 MB.' },
  ])
})

test('SY-3 a link out of the workspace is a warning with the reason', async () => {
  const refusing = {
    exists: () => Promise.resolve(true),
    read: () => Promise.reject(new AppError('INVALID_INPUT', 'AGENTS.md is outside of the workspace.')),
  }
  const { files, warnings } = await readInstructions(refusing, {
    own: null,
    levels: [{ root: '/w', path: '.' }],
  })
  expect(files).toEqual([])
  expect(warnings[0]).toEqual({ path: 'AGENTS.md', text: 'AGENTS.md is outside of the workspace.' })
})

test('SY-3 a failure that is not the file’s is thrown', async () => {
  const broken = { exists: () => Promise.resolve(true), read: () => Promise.reject(new Error('broken')) }
  await expect(readInstructions(broken, { own: null, levels: [{ root: '/w', path: '.' }] })).rejects.toThrow(
    'broken',
  )
})

test('SY-3 whatever files hold, all instructions together have 32,000 bytes at most and equal files give equal texts', async () => {
  const name = fc.constantFrom('AGENTS.md', 'CLAUDE.md', 'CONTEXT.md')
  const path = fc.tuple(fc.constantFrom('', 'a/', 'a/b/'), name).map((pieces) => pieces.join(''))
  const text = fc
    .tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.integer({ min: 0, max: 1_500 }))
    .map(([piece, times]) => piece.repeat(times))
  await fc.assert(
    fc.asyncProperty(fc.dictionary(path, text), async (texts) => {
      const { files, cut, warnings } = await read(texts)
      const bytes = files.reduce((sum, file) => sum + new TextEncoder().encode(file.text).length, 0)
      expect(bytes).toBeLessThanOrEqual(32_000)
      expect(files.every((file) => file.text.isWellFormed())).toBe(true)
      expect(warnings.filter(({ text: why }) => why.startsWith('Instructions have'))).toHaveLength(cut.length)
      expect(await read(structuredClone(texts))).toEqual({ files, cut, warnings })
    }),
    { numRuns: 30 },
  )
})
