import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { NOTHING_PROTECTED } from '../../testing/nothing-protected.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createGitSnapshots } from './git-snapshots.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A workspace, and a home folder that holds these files. */
async function openHome(home: Record<string, string>) {
  const folder = await temporaryFolder()
  const at = (path: string) => join(folder.path, path)
  const put = async (path: string, text: string) => {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
  for (const [path, text] of Object.entries(home)) await put(join('home', path), text)
  vi.stubEnv('HOME', at('home'))
  vi.stubEnv('XDG_CONFIG_HOME', undefined)
  vi.stubEnv('GIT_CONFIG_GLOBAL', undefined)
  await mkdir(at('work'), { recursive: true })
  return {
    root: at('work'),
    at,
    put: (path: string, text: string) => put(join('work', path), text),
    snapshots: createGitSnapshots({ folder: at('data'), places: NOTHING_PROTECTED }),
    async [Symbol.asyncDispose]() {
      vi.unstubAllEnvs()
      await folder[Symbol.asyncDispose]()
    },
  }
}

type Home = Awaited<ReturnType<typeof openHome>>

/** The paths that a run which wrote all of these is reported to have changed. */
async function changedIn({ snapshots, root, put }: Home, paths: string[]): Promise<readonly string[]> {
  for (const path of paths) await put(path, '1')
  await snapshots.capture(root)
  for (const path of paths) await put(path, '2')
  const { changes } = await snapshots.capture(root)
  for (const { path, before, after } of changes) await snapshots.move(root, { path, from: after, to: before })
  return changes.map(({ path }) => path)
}

test.for<[where: string, home: Record<string, string>]>([
  [
    'set in .gitconfig',
    { '.gitconfig': '[core]\n\texcludesFile = ~/my-ignore\n', 'my-ignore': '*.secret\n' },
  ],
  [
    'set in .config/git/config',
    { '.config/git/config': '[core]\n\texcludesFile = ~/my-ignore\n', 'my-ignore': '*.secret\n' },
  ],
  ['at its usual place', { '.config/git/ignore': '*.secret\n' }],
])('RW-5 files that the user ignores in all repositories are left alone: %s', async ([, files]) => {
  await using home = await openHome(files)
  expect(await changedIn(home, ['a.secret', 'seen'])).toEqual(['seen'])
  expect(await readFile(home.at('work/a.secret'), 'utf8')).toBe('2')
  expect(await readFile(home.at('work/seen'), 'utf8')).toBe('1')
})

test('RW-5 a workspace’s own rules win over the user’s, and no other setting of the user applies', async () => {
  const config = '[core]\n\texcludesFile = ~/my-ignore\n\tautocrlf = true\n\thooksPath = /nowhere\n'
  await using home = await openHome({ '.gitconfig': config, 'my-ignore': '*.log\n' })
  await home.put('.gitignore', '!kept.log\n')
  expect(await changedIn(home, ['kept.log', 'other.log'])).toEqual(['kept.log'])
  await home.put('lines', 'a\r\nb\n')
  await home.snapshots.capture(home.root)
  await home.put('lines', 'c\n')
  const { changes } = await home.snapshots.capture(home.root)
  for (const { path, before, after } of changes)
    await home.snapshots.move(home.root, { path, from: after, to: before })
  expect(await readFile(home.at('work/lines'), 'utf8')).toBe('a\r\nb\n')
})

test('RW-5 a missing file of ignore rules, or unreadable settings, do not prevent a capture', async () => {
  for (const config of [
    '[core]\n\texcludesFile = ~/none\n',
    '[core\n\tbroken',
    '[core]\n\texcludesFile =\n',
  ]) {
    await using home = await openHome({ '.gitconfig': config })
    expect(await changedIn(home, ['seen'])).toEqual(['seen'])
  }
})
