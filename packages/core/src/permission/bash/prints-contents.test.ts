import { expect, test } from 'vitest'
import { judgeCommand } from './judge-command.ts'
import { printsContents } from './prints-contents.ts'

const prints = (line: string) => printsContents(line.split(' ').slice(1))

test.for([
  'git diff',
  'git diff --cached',
  'git diff --stat -p',
  'git diff -p --stat',
  'git diff --name-only --check',
  'git diff-index -p HEAD',
  'git diff-tree --patch HEAD',
  'git log -p',
  'git log --oneline -p',
  'git log -n 3 -u',
  'git log -L 1,2:a',
  'git log -Ssecret',
  'git log --stat --patch',
  'git show',
  // Of a blob it prints all.
  'git show --stat HEAD:a',
  'git blame a',
  'git annotate a',
  'git grep x',
  'git cat-file -p HEAD:a',
  'git archive HEAD',
  'git stash show -p',
  'git stash show',
  'git stash list -p',
  'git reflog -p',
  'git reflog show',
  'git whatchanged',
  'git range-diff a b',
  'git status -v',
  'git status -sv',
  'git status --verbose',
  'git commit --dry-run -v',
  'git add -p',
  'git format-patch --stdout',
  'git -C sub diff',
  'git --no-pager show',
  'git unknown',
])('PE-4 a call of git that may print contents of files: %s', (line) => {
  expect(prints(line)).toBe(true)
})

test.for([
  'git',
  'git --version',
  'git diff --stat',
  'git diff --cached --name-only',
  'git diff --numstat HEAD~1 -- a',
  'git log',
  'git log --oneline -20 --graph --all',
  'git log -n 5 --format=%h --since=yesterday -- a',
  'git log --stat',
  'git status',
  'git status --short --branch',
  'git status -sb --porcelain',
  'git branch -v',
  'git remote -v',
  'git tag --list',
  'git ls-files -s',
  'git ls-tree -r HEAD',
  'git rev-parse HEAD',
  'git stash list',
  'git reflog',
  'git add a',
  'git commit -m text',
  'git push origin',
  'git -C sub status',
  'git worktree list',
])('PE-4 a call of git that prints names and numbers alone: %s', (line) => {
  expect(prints(line)).toBe(false)
})

test('PE-4 a line names the folders in which git prints contents, also beside and in calls that do more', () => {
  const printing = (line: string) => judgeCommand(line, { root: '/w', enforced: true }).reach.gitPrints
  expect(printing('git status; ls')).toEqual([])
  expect(printing('git diff; git show')).toEqual([''])
  expect(printing('cd a && git grep x')).toEqual(['', 'a/'])
  expect(printing('git log; cd a; git log -p; npm test')).toEqual(['', 'a/'])
  expect(printing('git archive HEAD')).toEqual([''])
  expect(printing('echo git diff')).toEqual([])
})
