import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WorkspaceReach } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { NO_GUARD } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { gitlinksIn } from '../git/gitlinks.ts'
import { inspectWorkspace } from './inspect-workspace.ts'

const NOTHING = {
  reads: [],
  globs: [],
  bare: [],
  texts: [],
  trees: [],
  walks: [],
  gitFolders: [],
  gitPrints: [],
}
const ENV = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

/** A workspace beside a folder that nobody may read, and git in it. */
async function openLab() {
  const folder = await temporaryFolder()
  const path = realpathSync(folder.path)
  const root = join(path, 'w')
  const at = (name: string) => join(root, name)
  mkdirSync(root)
  mkdirSync(join(path, 'outside'))
  writeFileSync(join(path, 'outside/secret.txt'), 'secret')
  const canary = `touch ${join(path, 'fired')}; false`
  return {
    root,
    at,
    canary,
    fired: () => existsSync(join(path, 'fired')),
    write(name: string, text = '') {
      mkdirSync(dirname(at(name)), { recursive: true })
      writeFileSync(at(name), text)
    },
    link: (target: string, name: string) => symlinkSync(target, at(name)),
    git(cwd: string, ...args: string[]) {
      const person = ['-c', 'user.name=A', '-c', 'user.email=a@b.example', '-c', 'protocol.file.allow=always']
      execFileSync('git', [...person, ...args], { cwd: at(cwd), env: ENV, stdio: 'ignore' })
    },
    inspect: (reach: Partial<WorkspaceReach>) => inspectWorkspace(root, { ...NOTHING, ...reach }, NO_GUARD),
    startsPrograms: async (...gitFolders: string[]) =>
      (await inspectWorkspace(root, { ...NOTHING, gitFolders }, NO_GUARD)).gitStartsPrograms,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

test('PE-7 a glob that matches a name with a leading dash, or a text that matches a name, is found', async () => {
  await using lab = await openLab()
  for (const name of ['a.ts', 'sub/-R', 'sub/b.ts', '--include=x.ts']) lab.write(name)
  const misread = async (reach: Partial<WorkspaceReach>) => (await lab.inspect(reach)).misread
  expect(await misread({ bare: ['*.ts'] })).toBe('*.ts')
  expect(await misread({ bare: ['a*', 'sub/*.ts'] })).toBe(null)
  expect(await misread({ bare: ['a*', 'sub/*'] })).toBe('sub/*')
  expect(await misread({ texts: ['--include=*.md', 'sub/*.js'] })).toBe(null)
  expect(await misread({ texts: ['--include=*.ts'] })).toBe('--include=*.ts')
  expect(await misread({ texts: ['*.ts'] })).toBe('*.ts')
})

test('PE-4 a link that leads outside of the workspace is named', async () => {
  await using lab = await openLab()
  lab.write('a')
  lab.link('/etc', 'out')
  lab.link('a', 'in')
  const outsideOf = async (...reads: string[]) => (await lab.inspect({ reads })).outside
  expect(await outsideOf('a', 'in', 'missing', '')).toBeNull()
  expect(await outsideOf('a', 'out/passwd')).toBe('out/passwd')
  expect(await outsideOf('out/../a')).toBe('out/../a')
})

test('PE-4 a glob that matches a link to the outside is named, and what globs match is returned', async () => {
  await using lab = await openLab()
  for (const name of ['a.txt', 'b.md', '.hidden.txt', 'src/c.ts', 'src/deep/d.ts']) lab.write(name)
  lab.link('src', 'inside')
  lab.link('../outside', 'out')
  lab.link('../outside/secret.txt', 'secret.md')
  lab.link('../../outside/secret.txt', 'src/.secret.ts')
  const { inspect, root } = lab
  const matchedBy = async (...globs: string[]) => {
    const { outside, matched } = await inspect({ globs })
    return outside === null ? matched.toSorted() : `outside: ${outside}`
  }
  expect(await matchedBy('*.txt', 'src/*.ts')).toEqual(['a.txt', 'src/c.ts'])
  expect(await matchedBy('i*/*.ts', 's?c/[c]*', `${root}/a*`)).toEqual([
    join(root, 'a.txt'),
    'inside/c.ts',
    'src/c.ts',
    // A list counts as any text.
    'src/deep',
  ])
  expect(await matchedBy('*')).toBe('outside: *')
  expect(await matchedBy('*.md')).toBe('outside: *.md')
  expect(await matchedBy('[nos]*t/secret*')).toBe('outside: [nos]*t/secret*')
  expect(await matchedBy('*/secret.txt')).toBe('outside: */secret.txt')
  expect(await matchedBy('src/.s*')).toBe('outside: src/.s*')
  expect(await matchedBy('nothing*', 'missing/*')).toEqual([])
})

test('PE-4 more than 200 matches are not returned, and a link among them is found', async () => {
  await using lab = await openLab()
  for (let at = 0; at < 201; at += 1) lab.write(`many/${at}`)
  expect(await lab.inspect({ globs: ['many/*'] })).toMatchObject({ outside: null, matched: [] })
  lab.link('../../outside/secret.txt', 'many/link')
  expect(await lab.inspect({ globs: ['many/*'] })).toMatchObject({ outside: 'many/*' })
})

test('PE-4 names are matched in linear time', async () => {
  await using lab = await openLab()
  lab.write('a'.repeat(250))
  const since = performance.now()
  expect((await lab.inspect({ globs: [`${'*a'.repeat(120)}b`] })).matched).toEqual([])
  expect((await lab.inspect({ globs: [`${'*a'.repeat(120)}?`] })).matched).toHaveLength(1)
  expect(performance.now() - since).toBeLessThan(1_000)
})

test('PE-4 a tree in which a link leads outside is named, at any depth and behind links', async () => {
  await using lab = await openLab()
  lab.write('old/a/b.txt')
  lab.write('new/a/b.txt')
  lab.link('../new', 'old/new')
  const outsideOf = async (...trees: string[]) => (await lab.inspect({ trees })).outside
  expect(await outsideOf('old', 'new', 'missing', 'old/a/b.txt')).toBeNull()
  lab.link('../../../outside', 'new/a/out')
  expect(await outsideOf('new')).toBe('new')
  expect(await outsideOf('old')).toBe('old')
  expect(await outsideOf('ne*')).toBe('ne*')
  expect(await outsideOf('old/a')).toBeNull()
  lab.link('.', 'old/a/self')
  expect(await outsideOf('old/a')).toBe('old/a')
})

test.for([
  [
    '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://x/y\n\tfetch = +refs/*:refs/*\n[branch "main"]\n\tremote = origin\n',
    false,
  ],
  ['[core]\n\tfsmonitor = /x\n', true],
  ['[core]\n\thooksPath = x\n', true],
  ['[diff]\n\texternal = x\n', true],
  ['[diff "a.b"]\n\ttextconv = x\n', true],
  ['[filter "x"]\n\tclean = x\n', true],
  ['[include]\n\tpath = x\n', true],
  ['[core]\n\tbare = false \\\n\tpager = x\n', true],
  ['[core] pager = x\n', true],
  ['[log]\n\tshowSignature = true\n', true],
  ['[alias]\n\tx = !id\n', true],
] as const)(
  'PE-4 settings of a repository that could start a program are seen: %s',
  async ([text, expected]) => {
    await using lab = await openLab()
    for (const name of ['objects/x', 'refs/x']) lab.write(`.git/${name}`)
    lab.write('.git/HEAD', 'ref: refs/heads/main\n')
    lab.write('.git/config', text)
    expect(await lab.startsPrograms('')).toBe(expected)
    expect(await lab.startsPrograms()).toBe(false)
  },
)

test('PE-4 settings of a repository below the workspace are seen, and those of a bare one among its files', async () => {
  await using lab = await openLab()
  lab.git('', 'init', '-q')
  lab.write('plain/deep/a')
  for (const name of ['nested', 'bare/deep']) lab.write(`${name}/a`)
  lab.git('nested', 'init', '-q')
  lab.git('bare', 'init', '-q', '--bare')
  expect(await lab.startsPrograms('', 'plain/deep', 'nested', 'missing')).toBe(false)
  expect(await lab.startsPrograms('', 'bare')).toBe(true)
  expect(await lab.startsPrograms('bare/deep')).toBe(true)
  lab.git('nested', 'config', 'core.fsmonitor', lab.canary)
  expect(await lab.startsPrograms('')).toBe(false)
  expect(await lab.startsPrograms('', 'nested')).toBe(true)
  lab.git('nested', 'status')
  expect(lab.fired()).toBe(true)
})

test('PE-4 settings of submodules are seen, of those whose repository is in their folder and of those in the main one', async () => {
  await using lab = await openLab()
  lab.git('', 'init', '-q')
  expect(await lab.startsPrograms('')).toBe(false)
  lab.write('lib/a')
  lab.git('lib', 'init', '-q')
  lab.git('lib', 'add', '.')
  lab.git('lib', 'commit', '-qm', 'First')
  lab.git('', 'submodule', 'add', `${lab.root}/lib/.git`, 'other')
  lab.git('', 'add', '.')
  lab.git('', 'commit', '-qm', 'First')
  expect(await lab.startsPrograms('')).toBe(false)
  lab.git('other', 'config', 'core.fsmonitor', lab.canary)
  expect(await lab.startsPrograms('')).toBe(true)
  lab.git('other', 'config', '--unset', 'core.fsmonitor')
  expect(await lab.startsPrograms('')).toBe(false)
  lab.git('lib', 'config', 'core.fsmonitor', lab.canary)
  expect(await lab.startsPrograms('')).toBe(true)
  expect(lab.fired()).toBe(false)
  lab.git('', 'status')
  expect(lab.fired()).toBe(true)
})

test('PE-4 a submodule whose work tree is another folder counts as one that starts programs', async () => {
  await using lab = await openLab()
  lab.git('', 'init', '-q')
  lab.write('lib/a')
  lab.git('lib', 'init', '-q')
  lab.git('lib', 'add', '.')
  lab.git('lib', 'commit', '-qm', 'First')
  lab.git('', 'submodule', 'add', `${lab.root}/lib/.git`, 'other')
  lab.git('other', 'config', 'core.worktree', '../../../../outside')
  expect(await lab.startsPrograms('')).toBe(true)
})

test.for([2, 3, 4])('PE-4 submodules are found in an index of version %i', async (version) => {
  await using lab = await openLab()
  lab.git('', 'init', '-q')
  for (const name of ['a', 'lib/sub/x', 'lib/z', 'very/long/folder/of/files/b']) lab.write(name, name)
  for (const name of ['lib/sub', 'very/long/folder/of/modules/c']) {
    lab.write(`${name}/x`)
    lab.git(name, 'init', '-q')
    lab.git(name, 'add', '.')
    lab.git(name, 'commit', '-qm', 'First')
  }
  lab.git('', 'add', '.')
  // Version 3 is what git writes for an entry that is only intended.
  lab.write('later')
  if (version === 3) lab.git('', 'add', '--intent-to-add', 'later')
  else lab.git('', 'update-index', '--index-version', String(version))
  const index = readFileSync(lab.at('.git/index'))
  expect(index.readUInt32BE(4)).toBe(version)
  expect(gitlinksIn(index)).toEqual(['lib/sub', 'very/long/folder/of/modules/c'])
  expect(gitlinksIn(index.subarray(0, 200))).toBeNull()
})

test('PE-4 an index whose entries are stored elsewhere is not read', async () => {
  await using lab = await openLab()
  lab.git('', 'init', '-q')
  lab.write('a')
  lab.git('', 'add', '.')
  expect(gitlinksIn(readFileSync(lab.at('.git/index')))).toEqual([])
  lab.git('', 'update-index', '--split-index')
  expect(gitlinksIn(readFileSync(lab.at('.git/index')))).toBeNull()
  expect(await lab.startsPrograms('')).toBe(true)
})
