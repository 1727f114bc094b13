import { spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listenAt } from '../../testing/listen-at.ts'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'

const ACCESSES = ['read', 'write'] as const

test.for(ACCESSES)(
  'TO-9 a workspace inside of the data of the server shows nothing else of it, with the access %s',
  async (access) => {
    await using lab = await openSandboxLab({
      workspace: 'data/chat',
      files: { 'data/palimpsest.db': 'secret', 'data/chat/a.txt': 'mine' },
      places: (path) => ({ hidden: [join(path, 'data')], readable: [] }),
    })
    const { text } = await lab.run('cat a.txt; cat ../palimpsest.db; ls -A ..; echo x > ../made', access)
    expect(text).toContain('mine')
    expect(text).not.toContain('secret')
    expect(text).not.toMatch(/^palimpsest\.db$/m)
  },
)

test('TO-9 the repository around such a workspace shows none of the data either', async () => {
  await using lab = await openSandboxLab({
    workspace: 'work/data/chat',
    files: { 'work/data/chat/a.txt': 'mine' },
  })
  const { text } = await lab.run('cat a.txt ../../a.txt ../palimpsest.db', 'read')
  expect(text).toContain('mine')
  expect(text).not.toContain('secret')
})

test('TO-9 data deep inside of a workspace stays hidden when a command moves what is above it', async () => {
  await using lab = await openSandboxLab({
    files: { 'work/deep/er/data/palimpsest.db': 'secret', 'work/deep/b.txt': 'b' },
    places: (path) => ({ hidden: [join(path, 'work/data'), join(path, 'work/deep/er/data')], readable: [] }),
  })
  await lab.run('mv deep/er/data moved; mv deep/er moved; mv deep moved; cp -r deep copied; rm -rf deep')
  for (const access of ACCESSES)
    expect((await lab.run('grep -r secret . ../work; find . -name palimpsest.db', access)).text).not.toMatch(
      /secret|palimpsest\.db/,
    )
  expect((await lab.run('cat deep/er/data/palimpsest.db')).code).toBe(1)
})

/** A repository that has committed a file which the server keeps. */
async function openTracking() {
  const lab = await openSandboxLab({
    files: { 'work/kept.json': 'secret\n', 'work/plain.json': 'plain\n' },
    places: (path) => ({ hidden: [join(path, 'work/data'), join(path, 'work/kept.json')] }),
  })
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', lab.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]).stdout.toString()
  git('add', 'kept.json', 'plain.json')
  git('commit', '-qm', 'a')
  await writeFile(join(lab.root, 'plain.json'), 'changed\n')
  return { lab, git, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() }
}

test('TO-9 git compares a file that is hidden from a line that reads with an empty one', async () => {
  await using tracking = await openTracking()
  const { text, code } = await tracking.lab.run(
    'git status --short -uno; git diff --stat; git diff plain.json; stat -c %F kept.json; cat kept.json',
    'read',
  )
  expect([code, text]).toEqual([0, expect.stringContaining(' M kept.json\n M plain.json\n')])
  expect(text).toMatch(/ kept\.json +\| 1 -\n plain\.json \| 2 \+-\n 2 files changed/)
  expect(text).toContain('+changed\n')
  expect(text).toMatch(/\nregular empty file\n$/)
})

test('TO-9 no command that may write stores an empty file in the place of a hidden one', async () => {
  await using tracking = await openTracking()
  const { code } = await tracking.lab.run('git -c user.name=a -c user.email=a@b commit -qam b')
  expect(code).not.toBe(0)
  expect(tracking.git('log', '--format=%s', '--all')).toBe('a\n')
  expect((await tracking.lab.run('cat kept.json')).text).not.toContain('secret')
  expect((await tracking.lab.run('git -c user.name=a -c user.email=a@b commit -qm b plain.json')).code).toBe(
    0,
  )
})

test('TO-9 keys and data are hidden under every link that leads there, and when they are links themselves', async () => {
  await using lab = await openSandboxLab({
    files: { 'elsewhere/keys/id_rsa': 'secret', 'elsewhere/token': 'secret', 'store/db': 'secret' },
    places: (path) => ({ hidden: [join(path, 'store-link'), join(path, 'gone-link')], readable: [] }),
  })
  await mkdir(join(lab.path, 'home/.config'), { recursive: true })
  await Promise.all([
    symlink(join(lab.path, 'elsewhere/keys'), join(lab.path, 'home/.gnupg')),
    symlink(join(lab.path, 'elsewhere/token'), join(lab.path, 'home/.netrc')),
    symlink('nowhere', join(lab.path, 'home/.npmrc')),
    symlink(join(lab.path, 'store'), join(lab.path, 'store-link')),
    symlink('nowhere', join(lab.path, 'gone-link')),
    symlink('../elsewhere', join(lab.root, 'link')),
    writeFile(join(lab.path, 'home/.bash_history'), 'secret'),
  ])
  const { text } = await lab.run(
    'cd ..; cat home/.gnupg/id_rsa home/.netrc elsewhere/keys/id_rsa elsewhere/token store/db store-link/db work/link/token home/.bash_history; echo on',
  )
  expect(text).toContain('on\n')
  expect(text).not.toContain('secret')
})

test.for(ACCESSES)(
  'SX-13 sockets on which programs of this machine listen are hidden, in the workspace too, with the access %s',
  async (access) => {
    await using lab = await openSandboxLab()
    using _inside = await listenAt(join(lab.path, 'work/agent.sock'))
    using _outside = await listenAt(join(lab.path, 'agent.sock'))
    const { text } = await lab.run(
      'for path in agent.sock ../agent.sock; do [ -S $path ] && echo reached; done; echo on',
      access,
    )
    expect(text).toBe('on\n')
  },
)
