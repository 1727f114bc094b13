import { spawnSync } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_RECORDS } from '../../testing/nothing-protected.ts'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'
import { createBwrapSandbox } from './bwrap-sandbox.ts'
import { MARK, processesWith } from './marked-processes.ts'

test('SX-13 the sandbox works on this machine', async () => {
  await using lab = await openSandboxLab()
  expect(lab.info).toEqual({ kind: 'bwrap' })
})

test('SX-13 a command in the sandbox writes in its workspace and in an empty /tmp, and nowhere else', async () => {
  await using lab = await openSandboxLab()
  const { code } = await lab.run('echo b > b.txt && mkdir c && echo t > /tmp/t && cat /tmp/t')
  expect(code).toBe(0)
  expect(await readFile(join(lab.root, 'b.txt'), 'utf8')).toBe('b\n')
  for (const target of [
    `${lab.path}/other`,
    '/etc/passwd',
    '/usr/x',
    `${lab.path}/home/x`,
    '/var/x',
    '/run/../root/x',
  ])
    expect(await lab.run(`echo x >> ${target}`), target).toMatchObject({ code: 1 })
  expect(await readFile(join(lab.path, 'other'), 'utf8')).toBe('other')
})

test('SX-13 a command in the sandbox reads no key, no data and no environment of the server', async () => {
  await using lab = await openSandboxLab()
  const { text } = await lab.run(
    `cat ../home/.ssh/id_rsa data/palimpsest.db; cat /proc/*/environ | tr '\\0' '\\n' | grep -c VITEST; cat /proc/${process.pid}/environ`,
  )
  expect(text).not.toContain('secret')
  expect(text).toMatch(/^0$/m)
  expect((await lab.run('cat ../home/notes data/outputs/call.txt')).text).toBe('harmlessoutput')
})

test('SX-13 a command in the sandbox reaches no network, not even this machine', async () => {
  await using lab = await openSandboxLab()
  const server = createServer((_, response) => response.end('reached'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const { text } = await lab.run(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached; ls /run`)
  server.close()
  expect(text).not.toContain('reached\n')
})

test('SX-13 a command in the sandbox changes no hook and no setting of the repository, and commits', async () => {
  await using lab = await openSandboxLab()
  expect(await lab.run('echo x > .git/hooks/pre-commit')).toMatchObject({ code: 1 })
  expect((await lab.run('git config core.hooksPath x')).code).not.toBe(0)
  expect((await lab.run('rm -rf .git/hooks; ls .git/hooks | head -1')).text).toContain('sample')
  const commit = await lab.run(
    'git add a.txt && git -c user.name=a -c user.email=a@b commit -qm a && git log --oneline | wc -l',
  )
  expect(commit).toMatchObject({ text: '1\n', code: 0 })
})

test('SX-13 with a command in the sandbox everything ends that it started', async () => {
  await using lab = await openSandboxLab()
  const { running, mark } = lab.start(
    'setsid sleep 86400 & (env -i setsid sleep 86401 &); echo on; sleep 86402',
  )
  await new Promise<void>((resolve) => running.onOutput(() => resolve()))
  await running.end()
  expect(await processesWith(MARK, mark)).toEqual([])
  const { stdout } = spawnSync('pgrep', ['-f', 'sleep 8640[012]'])
  expect(stdout.toString()).toBe('')
})

test('SX-13 without bubblewrap commands run as they are, and the reason is said', async () => {
  const path = process.env['PATH']
  process.env['PATH'] = '/nowhere'
  const sandbox = createBwrapSandbox({ home: '/home/a', hidden: [], readable: [], settings: [] }, NO_RECORDS)
  const info = await sandbox.probe().finally(() => {
    process.env['PATH'] = path
  })
  expect(info).toEqual({ kind: 'none', reason: 'bubblewrap (bwrap) is not installed.' })
  await using lab = await openSandboxLab()
  const wrapped = await sandbox.wrap(['ls'], { root: lab.root, access: 'read' })
  expect(wrapped).toMatchObject({ argv: expect.arrayContaining(['ls']), cwd: '/proc/self/fd/3' })
  expect(wrapped.argv).not.toContain('bwrap')
  await wrapped.release()
})

test('SX-13 commands run while the server keeps more and more in a folder that is hidden, also after its next start', async () => {
  const places = (path: string) => {
    const data = join(path, 'work/data')
    return {
      hidden: [data, join(data, 'snapshots'), join(data, 'palimpsest.db'), join(data, 'late')],
      readable: [],
    }
  }
  await using lab = await openSandboxLab({ files: { 'work/data/snapshots/one': 'secret' }, places })
  for (const later of [false, true]) {
    if (later) await mkdir(join(lab.root, 'data/late'))
    expect(await lab.sandbox.probe()).toEqual({ kind: 'bwrap' })
    for (const access of ['read', 'write'] as const) {
      const ran = await lab.run('cat a.txt; ls -A data | wc -l', access)
      expect(ran).toMatchObject({ text: 'a0\n', code: 0 })
      expect((await lab.run('cat data/palimpsest.db data/snapshots/one', access)).text).not.toContain(
        'secret',
      )
    }
  }
})

test.for(['/tmp', '/var/tmp'])(
  'SX-13 a workspace inside of a hidden folder is all that is there of it, also below %s',
  async (base) => {
    await using lab = await openSandboxLab({ base, places: (path) => ({ hidden: [path], readable: [] }) })
    for (const access of ['read', 'write'] as const)
      expect(await lab.run('cat a.txt; ls ..', access)).toMatchObject({ text: 'awork\n', code: 0 })
    expect(await lab.run('echo b > ../other')).toMatchObject({ code: 1 })
    expect(await readFile(join(lab.path, 'other'), 'utf8')).toBe('other')
  },
)
