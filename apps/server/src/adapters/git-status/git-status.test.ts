import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import { createFakeClock } from '@palimpsest/testing'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryRepository } from '../../../../../scripts/lib/temporary-repository.ts'
import { findRepository } from '../git/find-repository.ts'
import type { GitAnswer } from '../git/git-shell.ts'
import { createGitStatus } from './git-status.ts'
import { createViews } from './kept-views.ts'

/** A git that answers when the test resolves it. */
function heldShell() {
  const asked: { folder: string; answer(answer: GitAnswer): void }[] = []
  return {
    asked,
    status: (folder: string) =>
      new Promise<GitAnswer>((resolve) => {
        asked.push({ folder, answer: resolve })
      }),
  }
}

/** Lets the pending calls start. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

const clean = (text: string): GitAnswer => ({ code: 0, text })

function openRepository(files: Record<string, string> = {}) {
  const repository = temporaryRepository(files)
  onTestFinished(() => repository[Symbol.dispose]())
  return repository.root
}

test('SY-1 a change in the workspace just before a turn is in the turn’s prompt', async () => {
  const root = openRepository({ 'a.txt': 'a' })
  const clock = createFakeClock()
  const status = createGitStatus({ clock })
  expect(await status(root)).toMatch(/^## .*\n\?\? a\.txt$/)
  writeFileSync(join(root, 'b.txt'), 'b')
  clock.advance(500)
  expect(await status(root)).toMatch(/\n\?\? a\.txt\n\?\? b\.txt$/)
  execFileSync('git', ['add', '.'], { cwd: root })
  clock.advance(500)
  expect(await status(root)).toMatch(/\nA {2}a\.txt\nA {2}b\.txt$/)
  appendFileSync(join(root, 'a.txt'), 'more')
  execFileSync('git', ['checkout', '--quiet', '-b', 'other'], { cwd: root })
  clock.advance(500)
  expect(await status(root)).toMatch(/^## .*other\nAM a\.txt\nA {2}b\.txt$/)
})

test('SY-1 a long git status is cut, and the number of omitted lines is given', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `f${index}.txt`)
  const root = openRepository(Object.fromEntries(names.map((name) => [name, ''])))
  const lines = (await createGitStatus({ clock: systemClock })(root))?.split('\n')
  expect(lines).toHaveLength(21)
  expect(lines?.at(-1)).toBe('and 11 more')
})

test('TO-9 SY-1 the git status does not list what the server keeps, also from a folder inside', async () => {
  const root = realpathSync(
    openRepository({ 'a.txt': 'a', 'da[t]a/chat.db': '', 'dat/b.txt': '', 'sub/c.txt': '' }),
  )
  const without = [join(root, 'da[t]a'), join(root, 'da[t]a/chat.db'), '/elsewhere']
  const status = createGitStatus({ clock: systemClock, without })
  expect(await status(root)).toMatch(/^## .*\n\?\? a\.txt\n\?\? dat\/\n\?\? sub\/$/)
  expect(await status(join(root, 'sub'))).toMatch(/^## .*\n\?\? \.\.\/a\.txt\n\?\? \.\.\/dat\/\n\?\? \.\/$/)
})

test('SY-1 outside a repository there is no git status, and one that git cannot read is reported as such', async () => {
  const status = createGitStatus({ clock: systemClock })
  const folder = mkdtempSync('/tmp/palimpsest-')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(await status(folder)).toBe(null)
  expect(await status(join(folder, 'gone'))).toBe(null)
  const odd = join(openRepository(), 'a\nb')
  mkdirSync(odd)
  expect(await status(odd)).toBe('unknown, git did not answer in time')
  writeFileSync(join(folder, '.git'), 'nonsense')
  expect(await createGitStatus({ clock: systemClock })(folder)).toBe(
    'unknown, git cannot read this repository',
  )
})

test('SY-1 a git status is shared for half a second from the start of git, also while git works', async () => {
  const shell = heldShell()
  const clock = createFakeClock()
  const status = createGitStatus({ clock }, shell)
  const first = status('/a')
  await settled()
  clock.advance(499)
  const shared = [status('/a'), status('/a')]
  clock.advance(1)
  const later = [status('/a'), status('/a')]
  await settled()
  expect(shell.asked).toHaveLength(1)
  shell.asked[0]?.answer(clean('one'))
  expect(await Promise.all([first, ...shared])).toEqual(['one', 'one', 'one'])
  await settled()
  expect(shell.asked).toHaveLength(2)
  shell.asked[1]?.answer(clean('two'))
  expect(await Promise.all(later)).toEqual(['two', 'two'])
  clock.advance(499)
  expect(await status('/a')).toBe('two')
  clock.advance(1)
  const third = status('/a')
  await settled()
  shell.asked[2]?.answer(clean('three'))
  expect(await third).toBe('three')
})

test('SY-1 the view of a repository is kept for the next status, follows its HEAD, and is deleted when it is not used for a minute', async () => {
  const root = openRepository({ 'a.txt': 'a' })
  const clock = createFakeClock()
  const views = createViews(clock)
  const repository = await findRepository(realpathSync(root))
  if (repository === null || repository === 'unusable') throw new Error('There is no repository')
  const open = async () => {
    await using view = await views.open(repository, [])
    return { path: view.path, head: readFileSync(join(view.path, 'HEAD'), 'utf8') }
  }
  const first = await open()
  execFileSync('git', ['checkout', '--quiet', '-b', 'other'], { cwd: root })
  const [second, third] = await Promise.all([open(), open()])
  expect([second.path, third.path]).toEqual([first.path, first.path])
  expect([second.head, third.head]).toEqual(['ref: refs/heads/other\n', 'ref: refs/heads/other\n'])
  clock.advance(60_000)
  await expect.poll(() => existsSync(first.path)).toBe(false)
  expect((await open()).path).not.toBe(first.path)
})

test('SY-1 a view that was deleted from outside fails one status, and the next one makes another', async () => {
  const root = realpathSync(openRepository({ 'a.txt': 'a' }))
  const views = createViews(createFakeClock())
  const repository = await findRepository(root)
  if (repository === null || repository === 'unusable') throw new Error('There is no repository')
  const { path } = await views.open(repository, [])
  rmSync(path, { recursive: true })
  await expect(views.open(repository, [])).rejects.toThrow('ENOENT')
  expect(existsSync((await views.open(repository, [])).path)).toBe(true)
})

test('SY-1 where git takes too long the prompt says so, and git is not called there for a minute', async () => {
  const clock = createFakeClock()
  const shell = heldShell()
  const status = createGitStatus({ clock }, shell)
  const asking = status('/a')
  await settled()
  shell.asked[0]?.answer(null)
  expect(await asking).toBe('unknown, git did not answer in time')
  expect(await status('/a')).toBe('unknown, git takes too long here')
  expect(shell.asked).toHaveLength(1)
  clock.advance(60_000)
  const again = status('/a')
  await settled()
  shell.asked[1]?.answer(clean('back'))
  expect(await again).toBe('back')
})
