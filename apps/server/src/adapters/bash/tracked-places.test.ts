import { execFileSync } from 'node:child_process'
import { existsSync, linkSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { evaluate, requireCommand } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { serverFiles } from '../../server-files.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { openProtectedPlaces } from '../places/protected-places.ts'
import { inspectWorkspace } from './inspect-workspace.ts'
import { trackedPlace } from './tracked-places.ts'

const ENV = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

/** A repository in the folder where a server starts, whose data and configuration are in it by default. */
async function openLab(options: { init?: string[]; start?: string } = {}) {
  const folder = await temporaryFolder()
  const path = realpathSync(folder.path)
  const root = join(path, 'w')
  const start = join(path, options.start ?? 'w')
  mkdirSync(root)
  const places = await openProtectedPlaces(
    serverFiles({
      DATABASE_URL: `file:${join(start, 'data/palimpsest.db')}`,
      PALIMPSEST_CONFIG: join(start, 'palimpsest.config.json'),
    }),
    [root],
  )
  const lab = {
    root,
    git(...args: string[]) {
      const person = ['-c', 'user.name=A', '-c', 'user.email=a@b.example']
      execFileSync('git', [...person, ...args], { cwd: root, env: ENV, stdio: 'ignore' })
    },
    write(name: string, text = 'secret\n') {
      mkdirSync(dirname(join(root, name)), { recursive: true })
      writeFileSync(join(root, name), text)
    },
    remove: (name: string) => rmSync(join(root, name), { recursive: true }),
    tracked: (...folders: string[]) =>
      trackedPlace(
        folders.map((name) => join(root, name)),
        places,
      ),
    places,
    required(line: string, kind: 'none' | 'bwrap') {
      const guard = { places, isBoxed: () => kind === 'bwrap' }
      const shell = {
        sandbox: { kind },
        inspect: (at: string, reach: Parameters<typeof inspectWorkspace>[1]) =>
          inspectWorkspace(at, reach, guard),
      }
      return requireCommand(line, root, shell)
    },
    async isUnasked(line: string, kind: 'none' | 'bwrap') {
      const all = await lab.required(line, kind)
      return all.every(({ permission, readOnly }) => permission === 'read' || readOnly === true)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
  lab.git('init', '-q', ...(options.init ?? []))
  return lab
}

test('TO-9 a place of the server that the index or HEAD of a repository has is named, from each of its folders', async () => {
  await using lab = await openLab()
  lab.write('src/a.txt')
  lab.write('database.txt')
  lab.write('palimpsest.config.json')
  lab.write('data/palimpsest.db')
  lab.git('add', 'src', 'database.txt')
  expect(await lab.tracked('')).toBeNull()
  lab.git('commit', '-qm', 'a')
  expect(await lab.tracked('', 'src')).toBeNull()
  lab.git('add', 'palimpsest.config.json')
  expect(await lab.tracked('src')).toBe('palimpsest.config.json')
  lab.git('commit', '-qm', 'b')
  lab.git('rm', '-q', '--cached', 'palimpsest.config.json')
  lab.remove('palimpsest.config.json')
  // HEAD has it still.
  expect(await lab.tracked('')).toBe('palimpsest.config.json')
  lab.git('commit', '-qm', 'c')
  expect(await lab.tracked('')).toBeNull()
  lab.git('add', '-f', 'data')
  expect(await lab.tracked('')).toBe('data/palimpsest.db')
})

test('TO-9 what one work tree of a repository tracks is found from each of them, and too many count as one that does', async () => {
  await using lab = await openLab({ start: 'w/deploy' })
  lab.write('app/a.txt')
  const app = (...args: string[]) => lab.git('-C', 'app', ...args)
  app('init', '-q')
  app('add', '.')
  app('commit', '-qm', 'a')
  app('worktree', 'add', '-q', '../plain', '-b', 'plain')
  app('worktree', 'add', '-q', '../deploy', '-b', 'deploy')
  const folders = ['app', 'plain', 'deploy']
  for (const folder of folders) expect([folder, await lab.tracked(folder)]).toEqual([folder, null])
  expect(await lab.isUnasked('cd app && git show deploy', 'bwrap')).toBe(true)
  lab.write('deploy/palimpsest.config.json')
  lab.git('-C', 'deploy', 'add', '.')
  lab.git('-C', 'deploy', 'commit', '-qm', 'b')
  for (const folder of folders)
    expect([folder, await lab.tracked(folder)]).toEqual([folder, 'palimpsest.config.json'])
  for (const line of ['git show deploy', 'git log -p --all', 'git diff deploy'])
    expect([line, await lab.isUnasked(`cd app && ${line}`, 'bwrap')]).toEqual([line, false])
  lab.git('-C', 'deploy', 'rm', '-q', 'palimpsest.config.json')
  lab.git('-C', 'deploy', 'commit', '-qm', 'c')
  for (let at = 3; at <= 50; at += 1) lab.write(`app/.git/worktrees/${at}/HEAD`)
  expect(await lab.tracked('app')).toBeNull()
  lab.write('app/.git/worktrees/51/HEAD')
  expect(await lab.tracked('app')).not.toBeNull()
})

test('TO-9 while a file of the server has a second name in the workspace each line that reads asks, also in the sandbox', async () => {
  await using lab = await openLab({ start: '.' })
  lab.write('cp/a.txt')
  lab.write('../palimpsest.config.json')
  lab.write('../data/palimpsest.key')
  lab.write('../data/palimpsest.db')
  linkSync(join(lab.root, 'cp/a.txt'), join(lab.root, 'cp/b.txt'))
  const lines = ['cat cp/*', 'cat cp/a.txt', 'grep -r secret', 'git show']
  for (const line of lines) expect([line, await lab.isUnasked(line, 'bwrap')]).toEqual([line, true])
  // A copy of the data folder that is made by links.
  linkSync(join(lab.root, '../data/palimpsest.db'), join(lab.root, '../copy.db'))
  for (const line of lines) expect([line, await lab.isUnasked(line, 'bwrap')]).toEqual([line, true])
  for (const name of ['palimpsest.config.json', 'data/palimpsest.key', 'data/palimpsest.db']) {
    linkSync(join(lab.root, '..', name), join(lab.root, 'cp/copy'))
    for (const line of lines)
      expect([name, line, await lab.isUnasked(line, 'bwrap')]).toEqual([name, line, false])
    expect(await lab.isUnasked('pwd', 'bwrap')).toBe(true)
    lab.remove('cp/copy')
  }
})

test('TO-9 in the index of a first commit and in a repository with SHA-256 such a place is found too', async () => {
  await using lab = await openLab({ init: ['--object-format=sha256'] })
  lab.write('palimpsest.config.json')
  lab.write('a.txt')
  lab.git('add', 'a.txt')
  expect(await lab.tracked('')).toBeNull()
  lab.git('add', '.')
  expect(await lab.tracked('')).toBe('palimpsest.config.json')
})

test('TO-9 a repository that cannot be read counts as one that tracks such a place', async () => {
  await using lab = await openLab()
  lab.write('a.txt')
  lab.git('add', 'a.txt')
  expect(await lab.tracked('')).toBeNull()
  lab.write('.git/index', 'broken')
  expect(await lab.tracked('')).not.toBeNull()
})

test('TO-9 git is not started for a repository that holds no such place, and none is asked about there', async () => {
  await using lab = await openLab({ start: 'elsewhere' })
  lab.write('palimpsest.config.json')
  lab.git('add', '.')
  // It could not be read.
  lab.write('.git/index', 'broken')
  expect(await lab.tracked('')).toBeNull()
  expect(await lab.isUnasked('git diff', 'bwrap')).toBe(true)
})

test('TO-9 no setting of the repository starts a program when git looks for such a place', async () => {
  await using lab = await openLab()
  lab.write('palimpsest.config.json')
  lab.git('add', '.')
  lab.git('config', 'core.fsmonitor', `touch ${join(lab.root, 'fired')}; false`)
  expect(await lab.tracked('')).toBe('palimpsest.config.json')
  expect(existsSync(join(lab.root, 'fired'))).toBe(false)
})

test.for(['none', 'bwrap'] as const)(
  'TO-9 where the repository tracks such a place git asks before it prints contents, with the sandbox %s',
  async (kind) => {
    await using lab = await openLab()
    lab.write('src/a.txt', 'a\n')
    lab.git('add', '.')
    lab.git('commit', '-qm', 'a')
    lab.write('palimpsest.config.json')
    const [printing, others] = [
      [
        'git diff',
        'git grep -n secret',
        'git show HEAD',
        'git log -p',
        'git blame src/a.txt',
        'cd src && git diff',
      ],
      [
        'git status',
        'git status --short',
        'git diff --stat',
        'git log --oneline',
        'git ls-files',
        'git branch',
      ],
    ]
    for (const line of [...printing, ...others]) expect(await lab.isUnasked(line, kind), line).toBe(true)
    lab.git('add', '.')
    for (const line of printing) expect(await lab.isUnasked(line, kind), line).toBe(false)
    for (const line of others) expect(await lab.isUnasked(line, kind), line).toBe(true)
  },
)

test('TO-9 the work tree around the workspace is one that git prints, and a second name there counts for it', async () => {
  await using lab = await openLab({ start: '.' })
  lab.write('app/a.txt')
  lab.write('../data/palimpsest.key')
  linkSync(join(lab.root, '../data/palimpsest.key'), join(lab.root, 'beside'))
  const guard = { places: lab.places, isBoxed: () => true }
  const reach = { reads: ['a.txt'], globs: [], bare: [], texts: [], trees: [], walks: [], gitFolders: [] }
  const linked = async (gitPrints: string[]) =>
    (await inspectWorkspace(join(lab.root, 'app'), { ...reach, gitPrints }, guard)).linked
  expect([await linked([]), await linked([''])]).toEqual([null, 'palimpsest.key'])
})

test('PE-7 TO-9 without a sandbox a wide rule for git takes no configuration of the server, and no folder that holds one', async () => {
  await using lab = await openLab()
  lab.write('src/a.ts')
  const allows = async (line: string, kind: 'none' | 'bwrap', pattern = 'git add *') => {
    const rule = { permission: 'command', pattern, action: 'allow', source: 'session' } as const
    return evaluate(await lab.required(line, kind), [rule]).action === 'allow'
  }
  for (const line of [
    'git add .',
    'git add -A',
    'git add -u',
    'git add palimpsest.config.json',
    'git add src',
  ])
    expect([line, await allows(line, 'none')]).toEqual([line, true])
  lab.write('palimpsest.config.json')
  for (const line of [
    'git add .',
    'git add -A',
    'git add -u src',
    'git add palimpsest.config.json',
    'git add -- ./',
  ])
    expect([line, await allows(line, 'none'), await allows(line, 'bwrap')]).toEqual([line, false, true])
  expect(await allows('git commit -am x', 'none', 'git commit *')).toBe(false)
  expect(await allows('git commit -m x', 'none', 'git commit *')).toBe(true)
  expect(await allows('npx eslint .', 'none', 'npx eslint *')).toBe(false)
  expect(await allows('git add src', 'none')).toBe(true)
  expect(await allows('git add .', 'none', 'git add .')).toBe(true)
})
