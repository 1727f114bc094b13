import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { createFakeClock } from '@palimpsest/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createGitShell } from './git-shell.ts'

/** A `git` that hangs when its last argument is a folder named `slow`, and prints that argument otherwise. Returns the file of its process ids. */
function installFakeGit(): string {
  const bin = mkdtempSync('/tmp/palimpsest-bin-')
  const noted = join(bin, 'pid')
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\nfor last; do :; done\ncase "$last" in */slow) echo $$ > ${noted}; exec sleep 600;; esac\necho "$last"\n`,
  )
  chmodSync(join(bin, 'git'), 0o755)
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env['PATH']}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(bin, { recursive: true })
  })
  return noted
}

/** False for a process that has ended and whose exit code nobody has read yet. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('SY-1 a git that hangs is killed after a second, and the next status starts a new one', async () => {
  const noted = installFakeGit()
  const clock = createFakeClock()
  const shell = createGitShell({ clock })
  const slow = shell.run(['x', '/slow'], 1000)
  const pid = await vi.waitFor(() => Number(readFileSync(noted, 'utf8')), { timeout: 20_000 })
  expect(isAlive(pid)).toBe(true)
  clock.advance(1000)
  expect(await slow).toBe(null)
  expect(await shell.run(['/quick'], 1000)).toEqual({ code: 0, text: '/quick\n' })
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 20_000 })
  expect(clock.pending).toBe(0)
})

test('SY-1 concurrent status reads each get their own result', async () => {
  installFakeGit()
  const shell = createGitShell({ clock: createFakeClock() })
  const folders = ["/it's", '/a b', '/$HOME', '/-x', '/é']
  const answers = await Promise.all(folders.map((folder) => shell.run([folder], 1000)))
  expect(answers).toEqual(folders.map((folder) => ({ code: 0, text: `${folder}\n` })))
})

test('RW-5 an output is returned with all that a file name may hold, and git has the variables of its call alone', async () => {
  const bin = mkdtempSync('/tmp/palimpsest-bin-')
  const script = `#!/bin/sh\nprintf 'a\\0b 1\\n\\0%s|%s\\n' "$GIT_INDEX_FILE" "$1"; exit 3\n`
  writeFileSync(join(bin, 'git'), script.replace('"$1"', '"$(for last; do :; done; echo "$last")"'), {
    mode: 0o755,
  })
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env['PATH']}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(bin, { recursive: true })
  })
  const shell = createGitShell({ clock: createFakeClock() })
  const first = shell.run(['one'], 1000, { GIT_INDEX_FILE: "/it's an = index" })
  expect(shell.busy).toBe(true)
  expect(await first).toEqual({ code: 3, text: "a\0b 1\n\0/it's an = index|one\n" })
  expect(shell.busy).toBe(false)
  expect(await shell.run(['two'], 1000)).toEqual({ code: 3, text: 'a\0b 1\n\0|two\n' })
  expect(await shell.run(['a\nb'], 1000)).toBe(null)
})
