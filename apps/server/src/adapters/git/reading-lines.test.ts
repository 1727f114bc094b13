import { DAILY_READS } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { openReadingLab } from '../../testing/reading-lab.ts'

/** A repository with hooks, and a person whose settings name drivers, a monitor and a pager that its attributes use. */
const openHostile = () => openReadingLab(['git'])

const LINES = [
  ...DAILY_READS.filter((line) => /^git (?!config)[^|]*$/.test(line)),
  'git status --porcelain --untracked-files=all',
  'git diff HEAD a.txt b.txt',
  'git diff --stat v1',
  'git log -p --all -- b.txt',
  'git show HEAD:b.txt',
  'git show stash@{0} -p',
  'git blame b.txt',
  'git grep -n one -- a.txt',
  'git stash show -p stash@{0}',
  'git diff-files -p',
  'git diff-index -p HEAD',
  'git ls-files -m',
  'git check-attr -a b.txt',
  'git cat-file -p HEAD:b.txt',
]

test('PE-7 git starts nothing and writes nothing for a line that reads, in a repository that names programs', async () => {
  await using lab = await openHostile()
  const unasked: string[] = []
  for (const line of LINES) if (await lab.isUnasked(line, 'bwrap')) unasked.push(line)
  expect(unasked.length).toBeGreaterThan(100)
  expect(lab.breachesOf(unasked)).toEqual([])
})

test('PE-7 git as usual starts what it does not start for a line that reads', async () => {
  await using lab = await openHostile()
  for (const line of ['git diff', 'git show stash@{0}', 'git log -p --all', 'git blame b.txt'])
    expect(lab.breachesAsUsual([line])).toEqual([{ line, did: expect.stringContaining('started') }])
})

test('PE-7 an option with which git starts or writes something asks', async () => {
  await using lab = await openHostile()
  for (const line of [
    'git diff --ext-diff',
    'git diff --textconv',
    'git diff -O a.txt',
    'git diff -Oa.txt',
    'git diff --output=o',
    'git log --output o',
    'git show --textconv HEAD:a.txt',
    'git grep -Oless x',
    'git -c core.hooksPath=h status',
    'git -C .. status',
  ])
    expect([line, await lab.isUnasked(line, 'bwrap')]).toEqual([line, false])
})
