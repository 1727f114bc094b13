import { execFileSync } from 'node:child_process'
import { realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '@palimpsest/core'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryRepository } from '../../../../../scripts/lib/temporary-repository.ts'
import { createGitShell } from '../git/git-shell.ts'
import { createSettingsReader } from './read-settings.ts'

/** A repository, and a reader of its settings that counts what git is asked; `aheadMs`: how long ago all its files were written. */
function openSettings(aheadMs: number) {
  const repository = temporaryRepository({})
  onTestFinished(() => repository[Symbol.dispose]())
  const root = realpathSync(repository.root)
  const shell = createGitShell({ clock: systemClock })
  const read = createSettingsReader(() => Date.now() + aheadMs)
  const file = join(root, '.git/config')
  let asked = 0
  return {
    file,
    set: (key: string, value: string) => execFileSync('git', ['config', key, value], { cwd: root }),
    asked: () => asked,
    async crlf() {
      const settings = await read(file, (args) => {
        asked++
        return shell.run(args, 10_000)
      })
      if ('failed' in settings) return `failed ${settings.failed?.code}`
      return settings.find(({ key }) => key === 'core.autocrlf')?.value ?? null
    },
  }
}

test('SY-1 settings of a repository are read once until their file changes, and again after each change', async () => {
  const settings = openSettings(60_000)
  expect([await settings.crlf(), await settings.crlf(), settings.asked()]).toEqual([null, null, 1])
  settings.set('core.autocrlf', 'input')
  expect([await settings.crlf(), await settings.crlf(), settings.asked()]).toEqual(['input', 'input', 2])
  settings.set('core.autocrlf', 'false')
  expect([await settings.crlf(), settings.asked()]).toEqual(['false', 3])
})

test('SY-1 settings that were written a moment ago are read each time, as a later change may have the same time', async () => {
  const settings = openSettings(0)
  expect([await settings.crlf(), await settings.crlf(), settings.asked()]).toEqual([null, null, 2])
})

test('SY-1 a repository without a file of settings has none', async () => {
  const settings = openSettings(60_000)
  rmSync(settings.file)
  expect([await settings.crlf(), await settings.crlf(), settings.asked()]).toEqual([null, null, 2])
})

test('SY-1 settings that git cannot read are asked for each time', async () => {
  const settings = openSettings(60_000)
  writeFileSync(settings.file, '[core\n')
  expect([await settings.crlf(), await settings.crlf(), settings.asked()]).toEqual([
    'failed 128',
    'failed 128',
    2,
  ])
})
