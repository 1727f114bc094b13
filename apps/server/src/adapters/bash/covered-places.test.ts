import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
    const servers = await Promise.all(
      ['work/agent.sock', 'agent.sock'].map(async (name) => {
        const server = createServer()
        await new Promise<void>((resolve) => server.listen(join(lab.path, name), resolve))
        return server
      }),
    )
    const { text } = await lab.run(
      'for path in agent.sock ../agent.sock; do [ -S $path ] && echo reached; done; echo on',
      access,
    )
    for (const server of servers) server.close()
    expect(text).toBe('on\n')
  },
)
