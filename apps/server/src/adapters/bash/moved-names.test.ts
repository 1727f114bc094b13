import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunningProcess } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'

async function openLab(files: Record<string, string>) {
  const lab = await openSandboxLab()
  const at = (path: string) => join(lab.root, path)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
  const acting = (...paths: string[]) => paths.filter((path) => existsSync(at(path)))
  return { ...lab, at, acting, text: (path: string) => readFile(at(path), 'utf8') }
}

const TWO = {
  'a/.vscode/tasks.json': 'a',
  'a/src/x.ts': '',
  'b/.vscode/tasks.json': 'b',
  'deep/a/.mcp.json': 'a',
  'deep/b/.mcp.json': 'b',
}

test('SX-13 a protected name in a folder that takes the place of another is set aside, and so is the one that was there', async () => {
  await using lab = await openLab(TWO)
  const { remarks } = await lab.run('mv a t; mv b a; mv t b; mv deep/a deep/c && mv deep/b deep/a')
  expect(lab.acting('a/.vscode', 'b/.vscode', 'deep/a/.mcp.json', 'deep/c/.mcp.json')).toEqual([])
  expect(remarks.toSorted()).toEqual(
    ['a/.vscode', 'b/.vscode', 'deep/a/.mcp.json', 'deep/c/.mcp.json'].map((path) =>
      expect.stringContaining(
        `${path} is now ${path.split('/').at(-1)}.set-aside: commands neither make nor move`,
      ),
    ),
  )
  expect(await lab.text('a/.vscode.set-aside/tasks.json')).toBe('b')
  expect((await lab.run('mv a t; mv t a')).remarks).toEqual([])
})

test('SX-13 folders that are moved and moved back, and those without protected names, stay as they are', async () => {
  await using lab = await openLab(TWO)
  expect((await lab.run('mv a t; mv b a; mv a b; mv t a; mv a/src a/lib; mv a/lib lib')).remarks).toEqual([])
  expect(lab.acting('a/.vscode', 'b/.vscode', 'lib/x.ts')).toHaveLength(3)
})

test('SX-13 a protected name that comes to another place by a link, a swap or a deeper folder is set aside there', async () => {
  await using lab = await openLab({ ...TWO, 'c/.husky/pre-commit': 'c', 'd/e/.agents/x.md': 'd' })
  const { remarks } = await lab.run(
    `mv a kept && ln -s kept a; mkdir -p new/er && mv c new/er/c; mv d/e . && rmdir d; mv --exchange b deep/b || { mv b s; mv deep/b b; mv s deep/b; }`,
  )
  for (const path of [
    'a/.vscode',
    'kept/.vscode',
    'new/er/c/.husky',
    'e/.agents',
    'b/.mcp.json',
    'deep/b/.vscode',
  ])
    expect([path, existsSync(lab.at(path))]).toEqual([path, false])
  expect(remarks).toHaveLength(5)
})

test('SX-13 hooks and settings of a repository that takes the place of another are set aside', async () => {
  await using lab = await openLab({ 'q/a.txt': '' })
  await lab.run('for at in one two; do git init -q r/$at; done')
  await writeFile(lab.at('r/two/.git/hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 })
  await writeFile(lab.at('r/two/.git/config'), '[core]\n\tfsmonitor = x\n')
  const { remarks } = await lab.run('cd r; mv one t; mv two one; mv t two')
  expect(remarks.toSorted()).toEqual([
    expect.stringContaining('r/one/.git/config is now'),
    expect.stringContaining('r/one/.git/hooks/pre-commit is now'),
  ])
})

test('SX-13 what lies beyond the folders that are looked into, and was there before, stays as it is, and what has changed there is set aside', async () => {
  const many = Array.from({ length: 2_100 }, (_, at) => [`p/${at}/a.ts`, ''] as const)
  const names = Array.from({ length: 5 }, (_, at) => [`z/${at}/.mcp.json`, '{}'] as const)
  await using lab = await openLab(Object.fromEntries([...names, ...many]))
  expect((await lab.run('rm -rf p/1?? p/2??')).remarks).toEqual([])
  expect(lab.acting(...names.map(([path]) => path))).toHaveLength(5)
  const { remarks } = await lab.run(
    'rm -rf p/3?? p/4??; mkdir z/new; echo x > z/new/.mcp.json; mv z/1/.mcp.json z/0/.mcp.json',
  )
  expect(lab.acting('z/new/.mcp.json')).toEqual([])
  expect(remarks.length).toBeGreaterThan(0)
})

/** Resolves once the command has said a word. */
function saying(running: RunningProcess, word: string): Promise<void> {
  return new Promise((resolve) => {
    let text = ''
    running.onOutput((piece) => {
      text += piece
      if (text.includes(word)) resolve()
    })
  })
}

test('SX-13 while a command runs files below a folder that it has moved are not read by protected names, and others are', async () => {
  await using lab = await openLab(TWO)
  await symlink('b', lab.at('link'))
  const { running } = lab.start('mv a t; echo moved; while [ ! -e go ]; do sleep 0.02; done')
  await saying(running, 'moved')
  const made = (path: string) => lab.writing.isMade(lab.at(path))
  expect(['t/.vscode/tasks.json', 't/.vscode'].map(made)).toEqual([true, true])
  expect(['b/.vscode/tasks.json', 'link/.vscode/tasks.json', 't/src/x.ts', 'none/.vscode'].map(made)).toEqual(
    [false, false, false, false],
  )
  await writeFile(lab.at('go'), '')
  await running.exited
  await running.end()
  expect(running.remarks).toHaveLength(1)
})

test('SX-13 what a command has moved is set aside also when the server was killed meanwhile', async () => {
  await using lab = await openLab(TWO)
  const { running } = lab.start('mv a t; mv b a; echo moved; while [ ! -e go ]; do sleep 0.02; done')
  await saying(running, 'moved')
  // What the next start does, of what is recorded.
  const { createWritingCommands } = await import('./writing-commands.ts')
  const sentences = await createWritingCommands(join(lab.path, 'running')).settleEarlier()
  expect(sentences).toHaveLength(2)
  expect(lab.acting('a/.vscode', 't/.vscode')).toEqual([])
  await writeFile(lab.at('go'), '')
  await running.exited
  await running.end()
})
