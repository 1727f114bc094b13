import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'

/** Every file below a folder, with what it holds and its rights. */
async function stateOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name)
    const { mode, mtimeMs } = await lstat(path)
    if (entry.isSymbolicLink()) return `${path} -> ${await readlink(path)}`
    if (!entry.isFile()) return `${path} ${mode} ${mtimeMs}`
    return `${path} ${mode} ${mtimeMs} ${createHash('sha256')
      .update(await readFile(path))
      .digest('hex')}`
  })
  return (await Promise.all(lines)).sort()
}

const HOOK = '#!/bin/sh\necho hooked > hooked\necho hooked > ../other\n'

/** Lines that a table of options has taken, or may take, for reading, and that write. */
const WRITES = [
  'xxd -ps a.txt victim',
  'xxd -r -ps a.txt victim',
  'uniq -f 1*',
  'uniq a.txt victim',
  'awk -F x* \'{ print > "victim" }\' a.txt',
  'sort -o victim a.txt',
  'sed -i s/a/b/ victim',
  'sed -n w\\ victim a.txt',
  'find . -name victim -delete',
  'find . -name victim -fprint made',
  'git diff',
  'git status',
  'git -c core.fsmonitor=./hook.sh status',
  'git log --output=victim',
  'git branch made',
  'tee victim < a.txt',
  'cp a.txt victim',
  'mv a.txt victim',
  'ln -f a.txt victim',
  'rm -rf victim .git data',
  'chmod 777 victim',
  'truncate -s 0 victim',
  'dd if=a.txt of=victim',
  'touch made ../made "$HOME/made"',
  'mkdir made',
  'tar cf made a.txt',
  'split a.txt made',
  'csplit a.txt 1',
  'patch victim < a.txt',
  'bash -c "echo x > victim; echo x > ../other"',
  'echo x > victim',
  'echo x >> ../other',
]

test('PE-7 a line that runs as reading changes no file of the workspace and none outside, whatever it tries', async () => {
  await using lab = await openSandboxLab({
    files: {
      'work/victim': 'victim\n',
      'work/1in': 'b\n',
      'work/1out': 'victim\n',
      'work/xa': 'x\n',
      'work/hook.sh': HOOK,
      'work/.git/hooks/post-index-change': HOOK,
      'work/.git/hooks/pre-commit': HOOK,
    },
  })
  await lab.run('chmod +x hook.sh; git add a.txt; touch a.txt')
  const before = await stateOf(lab.path)
  const { text } = await lab.run(WRITES.map((line) => `(${line})`).join('\n'), 'read')
  expect(text).toContain('Read-only file system')
  expect(await stateOf(lab.path)).toEqual(before)
})

test('PE-7 a line that runs as reading reads the workspace, and of the rest of the disk programs alone', async () => {
  await using lab = await openSandboxLab()
  expect(
    await lab.run('cat a.txt && git log --oneline | wc -l && sort a.txt | head -1', 'read'),
  ).toMatchObject({
    text: expect.stringMatching(/^a/),
    code: 0,
  })
  const { text } = await lab.run(
    `cat ../home/notes ../home/.ssh/id_rsa data/palimpsest.db data/outputs/call.txt ../other /etc/shadow /etc/hostname
     ls -d /home /srv /mnt /media /boot /sys /var/log /var/lib; ls -A /run data`,
    'read',
  )
  expect(text).not.toMatch(/harmless|secret|^output|^other|^root:|^palimpsest|^\/(?!run)/m)
})

test('PE-7 what sort and pipes store meanwhile fits into a /tmp that ends with the line', async () => {
  await using lab = await openSandboxLab()
  expect(await lab.run('echo t > /tmp/t && sort -S 1k a.txt >/dev/null && cat /tmp/t', 'read')).toMatchObject(
    {
      text: 't\n',
      code: 0,
    },
  )
  expect((await lab.run('cat /tmp/t', 'read')).code).toBe(1)
})

test('PE-7 a line that runs as reading reaches no network', async () => {
  await using lab = await openSandboxLab()
  const { text } = await lab.run('tail -n +3 /proc/net/dev | grep -v lo: | wc -l', 'read')
  expect(text).toBe('0\n')
})

test('PE-7 git reads in a part of a repository and in a linked work tree, whose folders lie outside of the workspace', async () => {
  await using lab = await openSandboxLab({ files: { 'work/part/b.txt': 'b\n' } })
  const git = (...args: string[]) =>
    spawnSync('git', ['-C', lab.root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])
  git('add', 'a.txt', 'part')
  git('commit', '-qm', 'first')
  git('worktree', 'add', '-q', join(lab.path, 'tree'))
  for (const at of ['work/part', 'tree']) {
    const { text, code } = await lab.run(
      'git log --format=%s && git status --short -- . && cat ../data/palimpsest.db ../../home/notes ../home/notes ../other 2>/dev/null',
      'read',
      join(lab.path, at),
    )
    expect({ text, code }, at).toEqual({ text: 'first\n', code: 1 })
  }
})
