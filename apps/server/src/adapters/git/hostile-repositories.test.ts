import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import { expect, test, vi } from 'vitest'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createGitSnapshots } from '../git-snapshots/git-snapshots.ts'
import { createGitStatus } from '../git-status/git-status.ts'

// Each state takes several processes of git, and the machine may be busy.
vi.setConfig({ testTimeout: 120_000 })

const PERSON = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }

/** Names of git settings that may name a program, a file or an address, from git's own list. */
const NAMES = execFileSync('git', ['help', '--config'], { encoding: 'utf8', env: PERSON })
  .split('\n')
  .filter((name) =>
    /alias|askpass|browser|clean|cmd|command|driver|editor|external|filter|fsmonitor|helper|hook|include|pager|path|process|program|promisor|proxy|smudge|tc?extconv|tool|url|pack$|worktree/i.test(
      name,
    ),
  )
  .map((name) => name.replaceAll(/<[^>]+>|\*/g, 'evil'))
  .filter((name) => /^[\w-]+\.(.+\.)?[\w-]+$/.test(name))

const HOOKS = [
  'fsmonitor-watchman',
  'post-checkout',
  'post-index-change',
  'pre-auto-gc',
  'reference-transaction',
]

/** A repository that names a program for git to run, which writes a file when it runs. */
async function openHostile() {
  const folder = await temporaryFolder()
  const path = await realpath(folder.path)
  const at = (name: string) => join(path, name)
  const canary = at('canary.sh')
  writeFileSync(canary, `#!/bin/sh\ntouch ${at('fired')}\nexec cat\n`)
  chmodSync(canary, 0o755)
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.example', ...args], {
      cwd: at('work'),
      env: PERSON,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  mkdirSync(at('work'))
  git('init', '--quiet', '-b', 'main')
  writeFileSync(at('work/a.txt'), 'one\n')
  writeFileSync(at('work/.gitattributes'), '* filter=evil diff=evil merge=evil\n[attr]more filter=evil\n')
  git('add', '.')
  git('commit', '--quiet', '-m', 'First')
  // Same size, another time: git has to read it to detect a change.
  rmSync(at('work/a.txt'))
  writeFileSync(at('work/a.txt'), 'two\n')
  for (const hook of HOOKS) symlinkSync(canary, at(`work/.git/hooks/${hook}`))
  return {
    at,
    git,
    canary,
    root: at('work'),
    fired: () => existsSync(at('fired')),
    status: () => createGitStatus({ clock: patient })(at('work')),
    async rewind() {
      const root = at('work')
      const snapshots = createGitSnapshots({ folder: at('data'), places: NOTHING_PROTECTED })
      await snapshots.capture(root)
      writeFileSync(at('work/a.txt'), 'three\n')
      const { changes } = await snapshots.capture(root)
      for (const { path, before, after } of changes)
        await snapshots.move(root, { path, from: after, to: before })
      return changes.map(({ path }) => path)
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** Gives git all the time that a busy machine needs. */
const patient = { ...systemClock, after: () => ({ [Symbol.dispose]() {} }) }

test('SX-9 the planted programs of these tests run where git is started as usual', async () => {
  await using monitor = await openHostile()
  monitor.git('config', 'core.fsmonitor', monitor.canary)
  monitor.git('status')
  expect(monitor.fired()).toBe(true)
  await using filter = await openHostile()
  filter.git('config', 'filter.evil.clean', filter.canary)
  filter.git('status')
  expect(filter.fired()).toBe(true)
})

test('SX-9 no setting of a repository starts a program when its status is read', async () => {
  expect(NAMES.length).toBeGreaterThan(60)
  for (const expected of ['core.fsmonitor', 'filter.evil.clean', 'diff.evil.textconv', 'core.sshCommand'])
    expect(NAMES).toContain(expected)
  await using hostile = await openHostile()
  const config = readFileSync(hostile.at('work/.git/config'), 'utf8')
  for (const name of NAMES) {
    const [, section = '', sub = '', key = ''] = /^([\w-]+)\.(?:(.+)\.)?([\w-]+)$/.exec(name) ?? []
    const head = sub === '' ? `[${section}]` : `[${section} "${sub}"]`
    writeFileSync(hostile.at('work/.git/config'), `${config}${head}\n\t${key} = ${hostile.canary}\n`)
    expect([name, await hostile.status()]).toEqual([name, '## main\n M a.txt'])
    expect([name, hostile.fired()]).toEqual([name, false])
  }
})

const PLANTED: [what: string, plant: (hostile: Awaited<ReturnType<typeof openHostile>>) => void][] = [
  ['a filter by process', ({ git, canary }) => git('config', 'filter.evil.process', canary)],
  [
    'a filter with an odd name',
    (hostile) => {
      hostile.git('config', 'filter.e=v "\\il.clean', hostile.canary)
      writeFileSync(hostile.at('work/.git/info/attributes'), '* filter=evil\n')
      hostile.git('config', 'filter.evil.clean', hostile.canary)
    },
  ],
  [
    'settings of settings',
    ({ git, at, canary }) => {
      writeFileSync(at('more'), `[core]\n\tfsmonitor = ${canary}\n[filter "evil"]\n\tclean = ${canary}\n`)
      git('config', 'include.path', at('more'))
    },
  ],
  [
    'settings of a work tree',
    ({ git, canary }) => {
      git('config', 'extensions.worktreeConfig', 'true')
      git('config', '--worktree', 'core.fsmonitor', canary)
      git('config', '--worktree', 'filter.evil.clean', canary)
    },
  ],
  [
    'objects that have to be fetched',
    ({ git, at, canary }) => {
      git('config', 'extensions.partialClone', 'evil')
      git('config', 'core.repositoryFormatVersion', '1')
      git('config', 'remote.evil.promisor', 'true')
      git('config', 'remote.evil.url', `ext::${canary}`)
      git('config', 'remote.evil.uploadpack', canary)
      git('config', 'protocol.ext.allow', 'always')
      const tree = git('rev-parse', 'HEAD^{tree}').trim()
      rmSync(at(`work/.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`))
    },
  ],
  [
    'a repository inside',
    ({ git, at, canary }) => {
      git('init', '--quiet', 'inner')
      git('-C', 'inner', 'commit', '--quiet', '--allow-empty', '-m', 'Inner')
      git('add', 'inner')
      git('-C', 'inner', 'config', 'core.fsmonitor', canary)
      writeFileSync(at('work/inner/new'), '')
    },
  ],
]

test.for(PLANTED)(
  'SX-9 %s starts no program, neither for a status nor for states of files',
  async ([, plant]) => {
    await using hostile = await openHostile()
    plant(hostile)
    // Git started as usual has run hooks meanwhile.
    rmSync(hostile.at('fired'), { force: true })
    await hostile.status()
    expect(await hostile.rewind()).toEqual(['a.txt'])
    expect(readFileSync(hostile.at('work/a.txt'), 'utf8')).toBe('two\n')
    expect(hostile.fired()).toBe(false)
  },
)

/** Files at the top of a clone that git takes for a bare repository. */
function plantBare({ git, at, canary }: Awaited<ReturnType<typeof openHostile>>): void {
  git('init', '--quiet', '--bare', 'bare')
  const own = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${canary}\n`
  writeFileSync(at('work/bare/config'), own)
}

test('SX-9 a bare repository among the files of a clone is not used', async () => {
  await using hostile = await openHostile()
  plantBare(hostile)
  const status = () => createGitStatus({ clock: systemClock })(hostile.at('work/bare'))
  rmSync(hostile.at('fired'), { force: true })
  expect(await status()).toContain('## main')
  rmSync(hostile.at('work/.git'), { recursive: true })
  expect(await status()).toBe(null)
  expect(hostile.fired()).toBe(false)
})

test('SX-9 a link or gitdir file into another repository exposes nothing of it', async () => {
  await using hostile = await openHostile()
  const { at, git } = hostile
  mkdirSync(at('private'))
  renameSync(at('work/.git'), at('private/.git'))
  git('-C', at('private'), 'branch', '-m', 'secret')
  const unusable = 'unknown, git cannot read this repository'
  const shown = async () => {
    const status = await hostile.status()
    rmSync(at('work/.git'), { recursive: true, force: true })
    return status
  }
  writeFileSync(at('work/.git'), `gitdir: ${at('private/.git')}\n`)
  expect(await shown()).toBe(unusable)
  symlinkSync(at('private/.git'), at('work/.git'))
  expect(await shown()).toBe(unusable)
  for (const name of ['HEAD', 'index', 'refs', 'objects']) {
    git('init', '--quiet')
    rmSync(at(`work/.git/${name}`), { recursive: true, force: true })
    symlinkSync(at(`private/.git/${name}`), at(`work/.git/${name}`))
    expect([name, await shown()]).toEqual([name, unusable])
  }
  mkdirSync(at('work/fake'))
  writeFileSync(at('work/.git'), `gitdir: fake\n`)
  writeFileSync(at('work/fake/commondir'), at('private/.git'))
  writeFileSync(at('work/fake/gitdir'), at('work/.git'))
  writeFileSync(at('work/fake/HEAD'), 'ref: refs/heads/secret\n')
  expect(await shown()).toBe(unusable)
})

test('SX-9 linked work trees and submodules are read, without their settings', async () => {
  await using hostile = await openHostile()
  const { at, git, canary } = hostile
  git('worktree', 'add', '--quiet', at('tree'), '-b', 'other')
  git('config', 'core.fsmonitor', canary)
  git('config', 'filter.evil.clean', canary)
  const status = createGitStatus({ clock: systemClock })
  rmSync(at('fired'), { force: true })
  writeFileSync(at('tree/new.txt'), '')
  expect(await status(at('tree'))).toBe('## other\n?? new.txt')
  mkdirSync(at('super'))
  git('-C', at('super'), 'init', '--quiet')
  git('config', '--unset', 'core.fsmonitor')
  const local = ['-c', 'protocol.file.allow=always']
  git('-C', at('super'), ...local, 'submodule', '--quiet', 'add', at('work'), 'sub')
  git('-C', at('super/sub'), 'config', 'core.fsmonitor', canary)
  rmSync(at('fired'), { force: true })
  expect(await status(at('super/sub'))).toBe('## main...origin/main')
  expect(hostile.fired()).toBe(false)
})

test('SX-9 git is started in one place of the whole server, and so are commands, searches, hooks, MCP servers and readers of PDFs', () => {
  const source = join(import.meta.dirname, '../../../../..')
  const files = globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: source })
  expect(files.length).toBeGreaterThan(300)
  const starters = files
    .filter((path) => !/\.test\.tsx?$|\/testing\//.test(path))
    .filter((path) => /import (?!type)[^\n]*child_process/.test(readFileSync(join(source, path), 'utf8')))
  expect(starters.map((path) => path.replace('apps/server/src/adapters/', '')).toSorted()).toEqual([
    'bash/bwrap-sandbox.ts',
    'bash/processes.ts',
    'files/run-ripgrep.ts',
    'git/start-git.ts',
    'hooks/run-command.ts',
    'mcp/process-transport.ts',
    'pdf/run-extraction.ts',
  ])
})
