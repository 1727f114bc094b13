import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workspaceFiles } from '../../testing/nothing-protected.ts'
import { globMatcher } from './glob-pattern.ts'

const never = new AbortController().signal

async function openWorkspace(files: Record<string, string | Buffer>) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-search-')))
  const root = join(folder, 'root')
  for (const [index, [path, content]] of Object.entries(files).entries()) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
    await utimes(join(root, path), 1_000 + index, 1_000 + index)
  }
  await writeFile(join(folder, 'secret.txt'), 'needle outside')
  await symlink(folder, join(root, 'out'))
  const glob = (pattern: string, more: { path?: string; limit?: number } = {}) =>
    workspaceFiles.glob(root, { pattern, path: '.', limit: 100, ...more }, never)
  const grep = (pattern: string, more: object = {}) => {
    const query = { pattern, path: '.', glob: null, context: 0, firstOnly: false, limit: 100, ...more }
    return workspaceFiles.grep(root, query, never)
  }
  return { root, glob, grep, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const FILES = {
  '.gitignore': 'node_modules\n*.log\n',
  '.git/config': 'needle',
  'src/a.ts': 'one\nneedle a\nthree\nfour\n',
  'src/deep/b.ts': 'needle b\r\n',
  '.hidden/c.ts': 'needle c',
  'node_modules/x/d.ts': 'needle d',
  'e.log': 'needle e',
  'bom.txt': Buffer.from('\uFEFFneedle f\n', 'utf16le'),
  'utf8-bom.txt': '\uFEFFneedle g\n',
  'binary.bin': Buffer.from([0, 1, 2, ...Buffer.from('needle')]),
}

test('TO-1 files are found by their path, the one changed last first, without what git ignores and what links lead to', async () => {
  await using workspace = await openWorkspace(FILES)
  const { glob } = workspace
  await mkdir(join(workspace.root, '.git', 'objects'), { recursive: true })
  expect((await glob('**/*.ts')).paths).toEqual(['.hidden/c.ts', 'src/deep/b.ts', 'src/a.ts'])
  expect((await glob('*.ts', { path: 'src' })).paths).toEqual(['src/a.ts'])
  expect((await glob('{src,.hidden}/*.t[a-s]')).paths).toEqual(['.hidden/c.ts', 'src/a.ts'])
  expect(await glob('**', { limit: 2 })).toMatchObject({
    paths: ['binary.bin', 'utf8-bom.txt'],
    truncated: true,
  })
  expect((await glob('out/**')).paths).toEqual([])
  await expect(glob('*', { path: 'out' })).rejects.toThrow('outside')
})

test('TO-1 lines are found with their path, number and context, in every encoding that is text', async () => {
  await using workspace = await openWorkspace(FILES)
  const { grep } = workspace
  const found = await grep('needle \\w')
  expect(found.lines.map(({ path, number, text }) => `${path}:${number}:${text}`)).toEqual([
    '.hidden/c.ts:1:needle c',
    'bom.txt:1:needle f',
    'src/a.ts:2:needle a',
    'src/deep/b.ts:1:needle b',
    'utf8-bom.txt:1:needle g',
  ])
  expect((await grep('needle', { path: 'src/a.ts', context: 1 })).lines).toEqual([
    { path: 'src/a.ts', number: 1, text: 'one', isMatch: false },
    { path: 'src/a.ts', number: 2, text: 'needle a', isMatch: true },
    { path: 'src/a.ts', number: 3, text: 'three', isMatch: false },
  ])
  expect((await grep('needle', { glob: '*.ts', path: 'src' })).lines).toHaveLength(2)
  expect(await grep('e', { limit: 1, path: 'src/a.ts' })).toMatchObject({
    truncated: true,
    lines: [{ number: 1 }],
  })
  expect((await grep('e', { firstOnly: true, path: 'src/a.ts' })).lines).toHaveLength(1)
  expect((await grep('nothing like it')).lines).toEqual([])
})

test('TO-1 a pattern that is no regular expression is refused with the reason', async () => {
  await using workspace = await openWorkspace(FILES)
  await expect(workspace.grep('(')).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'pattern' })
  await expect(workspace.grep('x', { path: 'gone' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
})

test('TO-4 a search ends with its signal', async () => {
  await using workspace = await openWorkspace(FILES)
  const query = { pattern: '**', path: '.', limit: 1 }
  await expect(workspaceFiles.glob(workspace.root, query, AbortSignal.abort())).rejects.toThrow('abort')
})

test('TO-1 a glob matches as a regular expression of its pieces does', () => {
  const names = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 4,
  })
  const pieces = fc.array(fc.constantFrom('a', 'b*', '*', '**', '?', '[ab]', '[!a]*'), {
    minLength: 1,
    maxLength: 4,
  })
  fc.assert(
    fc.property(pieces, names, (segments, path) => {
      const regex = segments
        .map((segment) => (segment === '**' ? '(?:[^/]+/)*' : `${toRegex(segment)}/`))
        .join('')
      const expected = new RegExp(`^${regex}$`).test(`${path.join('/')}/`)
      expect(globMatcher(segments.join('/'))(path.join('/'))).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

function toRegex(segment: string): string {
  return segment.replaceAll('.', '\\.').replaceAll('*', '[^/]*').replaceAll('?', '[^/]').replace('[!', '[^')
}
