import { realpath } from 'node:fs/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { GitError, GitMissingError, runGit } from '../git/run-git.ts'
import { indexRecords, OPAQUE, records, treeChanges, treeId } from './tree-changes.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const C = 'c'.repeat(40)
const NONE = '0'.repeat(40)

/** The output of git for pairs of trees: a line for the pair, then a record for each path that differs. */
function asGit(pairs: readonly { pair: string; differs: readonly string[] }[]): string {
  return pairs.map(({ pair, differs }) => `${pair}\n${differs.join('')}`).join('')
}
const record = (from: string, to: string, fromId: string, toId: string, path: string) =>
  `:${from} ${to} ${fromId} ${toId} M\0${path}\0`

test('RW-5 differences are returned by pair, with an empty list for a pair without any', async () => {
  const asked: unknown[] = []
  const git = (args: readonly string[], input?: string) => {
    asked.push([args[0], input])
    return Promise.resolve(
      asGit([
        {
          pair: `${A} ${B}`,
          differs: [
            record('100644', '100755', A, B, 'run.sh'),
            record('000000', '100644', NONE, C, 'new file.txt'),
          ],
        },
        { pair: `${B} ${B}`, differs: [] },
        { pair: `${B} ${C}`, differs: [record('100644', '000000', A, NONE, 'gone\nwith a line')] },
      ]),
    )
  }
  expect(
    await treeChanges(git, [
      [A, B],
      [B, B],
      [B, C],
    ]),
  ).toEqual([
    [
      { path: 'run.sh', before: { mode: '100644', id: A }, after: { mode: '100755', id: B }, notKept: null },
      { path: 'new file.txt', before: null, after: { mode: '100644', id: C }, notKept: null },
    ],
    [],
    [{ path: 'gone\nwith a line', before: { mode: '100644', id: A }, after: null, notKept: null }],
  ])
  expect(asked).toEqual([['diff-tree', `${A} ${B}\n${B} ${B}\n${B} ${C}\n`]])
})

test('RW-10 a file that one of the trees does not keep is named as not kept', async () => {
  const git = () =>
    Promise.resolve(
      asGit([
        {
          pair: `${A} ${B}`,
          differs: [
            record(OPAQUE.mode, '100644', OPAQUE.id, B, 'was too large'),
            record('100644', OPAQUE.mode, A, OPAQUE.id, 'is too large'),
            record('100644', '100644', A, B, 'kept'),
          ],
        },
      ]),
    )
  const named = (await treeChanges(git, [[A, B]])).flat().map(({ path, notKept }) => [path, notKept])
  expect(named).toEqual([
    ['was too large', 'too-large'],
    ['is too large', 'too-large'],
    ['kept', null],
  ])
})

test('RW-5 a state that git does not have fails, and an empty list of pairs starts no git', async () => {
  await expect(treeChanges(() => Promise.resolve(''), [[A, B]])).rejects.toThrow('not known here')
  expect(await treeChanges(() => Promise.reject(new Error('asked')), [])).toEqual([])
})

test('RW-5 only a state id is accepted as one', () => {
  expect(treeId(A)).toBe(A)
  for (const other of [
    '',
    'HEAD',
    '--all',
    `${A}\n`,
    A.slice(1),
    `${A}0`,
    A.toUpperCase(),
    `-${A.slice(1)}`,
  ]) {
    expect(() => treeId(other)).toThrow('no state')
  }
})

test('RW-5 an index receives removals first, so that a file can replace a folder', () => {
  const file = { mode: '100644', id: A }
  expect(
    indexRecords([
      { path: 'folder', to: file },
      { path: 'folder/in it', to: null },
    ]),
  ).toBe(['0 ', NONE, '\tfolder/in it\0', '100644 ', A, '\tfolder\0'].join(''))
})

test('RW-5 any file name survives a record unchanged', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  fc.assert(
    fc.property(fc.array(name), (names) => {
      expect(records(names).split('\0').slice(0, -1)).toEqual(names)
    }),
  )
})

test('RW-5 a git that fails is reported with its command and exit code, without its output', async () => {
  await using folder = await temporaryFolder()
  const failure = await runGit(['rev-parse', '--verify', 'secret-name'], { cwd: folder.path }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBeInstanceOf(GitError)
  expect(failure).toMatchObject({ message: 'git rev-parse ended with 128', code: 128 })
})

test('RW-5 a git that cannot start because the folder is missing is reported as missing', async () => {
  await expect(runGit(['version'], { cwd: '/no/such/folder' })).rejects.toBeInstanceOf(GitMissingError)
})

test('RW-5 environment variables of the parent process do not redirect git', async () => {
  await using folder = await temporaryFolder()
  process.env['GIT_DIR'] = '/somewhere/else'
  try {
    await runGit(['init', '--quiet'], { cwd: folder.path })
    const top = (await runGit(['rev-parse', '--show-toplevel'], { cwd: folder.path })).trim()
    expect(top).toBe(await realpath(folder.path))
  } finally {
    delete process.env['GIT_DIR']
  }
})

test('RW-5 git receives its whole input, and its output is returned as text', async () => {
  await using folder = await temporaryFolder()
  const input = 'äöü\n'.repeat(50_000)
  const id = await runGit(['hash-object', '--stdin'], { cwd: folder.path, input })
  expect(id).toMatch(/^[0-9a-f]{40}\n$/)
  expect(await runGit(['hash-object', '--stdin'], { cwd: folder.path, input: input.slice(1) })).not.toBe(id)
})
