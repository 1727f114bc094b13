import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createScriptedProcesses } from '@palimpsest/testing/scripted-processes.ts'
import { expect, test } from 'vitest'
import type { PermissionRule } from '../../domain/permission/permission.ts'
import { VERBS } from '../../permission/bash/git-words.ts'
import { decideCall } from '../../permission/decide-call.ts'
import { evaluate } from '../../permission/evaluate.ts'
import { requireCommand } from './require-command.ts'

const { processes } = createScriptedProcesses()
const shell = { sandbox: { kind: 'bwrap' }, inspect: processes.inspect } as const
const required = (line: string) => requireCommand(line, '/w', shell)

const rule = { permission: 'command', action: 'deny', source: 'manifest', pinned: true } as const
const deny = (...patterns: string[]): PermissionRule[] => patterns.map((pattern) => ({ ...rule, pattern }))
const PUSH = deny('git push', 'git push *')

/** What is decided about a line, in the mode in which nothing is asked. */
async function actionOf(line: string, rules: readonly PermissionRule[]) {
  return decideCall({ requirements: await required(line), rules, mode: 'full-access', watched: null }).action
}

/** Calls of git of which the line does not show what they run. */
const UNCLEAR = [
  'git p',
  'git -C folder p',
  'git',
  'git -C folder',
  'git lfs push',
  'echo push | xargs git',
  'echo push | xargs -I{} git {} origin',
  'git $VERB origin',
  'git {push,origin}',
  'git pu*',
  'git "$@"',
  'git -c alias.p=push p',
  "git -c alias.p='!git fetch; x' p",
  'git --config-env alias.p=X p',
  'git --config-env=core.sshCommand=X fetch',
  'git -c core.sshCommand=./x fetch',
  'git -c core.fsmonitor=./x status',
  'git -c include.path=x status',
  'git -c CORE.HooksPath=x commit -m a',
  'git --exec-path=x submodule',
  'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.editor GIT_CONFIG_VALUE_0=x git commit',
  'GIT_SSH_COMMAND=./x git fetch',
  'GIT_EDITOR="git p" git commit',
  'EDITOR=./x git commit',
  'HOME=/w/x git status',
  'env GIT_EXTERNAL_DIFF=./x git diff',
  'export GIT_EXTERNAL_DIFF; git diff',
  'read GIT_EXTERNAL_DIFF < x; git diff',
  'printf -v x y; declare -x GIT_SSH=x; git fetch',
  'bash -c "GIT_SSH=x git fetch"',
  'git for-each-repo --config=x push',
  'git clone -c core.sshCommand=x a b',
  'sudo git p',
  'bash -c "git p"',
  'GIT p',
]

test.for(UNCLEAR)(
  'PE-1 PE-4 a rule that denies a command of git denies a call that may be any: %s',
  async (line) => {
    expect(await actionOf(line, PUSH)).toBe('deny')
    for (const pattern of ['git*', 'git', '*', 'g*', '*push*', 'git clean -fd'])
      expect([pattern, await actionOf(line, deny(pattern))]).toEqual([pattern, 'deny'])
    for (const pattern of ['rm *', 'gitk *', 'git-x *', 'sudo gi', 'npm*'])
      expect([pattern, await actionOf(line, deny(pattern))]).toEqual([pattern, 'allow'])
    expect(await actionOf(line, [])).toBe('allow')
  },
)

/** Calls whose arguments name another call of git. */
const SHOWN = [
  'git submodule foreach git push origin',
  "git submodule foreach 'git push origin'",
  'git submodule foreach --recursive "cd x && git push"',
  'git rebase -x "git push" main',
  "git rebase -x'git push' main",
  'git rebase --exec "git push" main',
  'git rebase --exec="git push origin" main',
  'git bisect run git push origin',
  'git bisect run sh -c "git push"',
  "git filter-branch --tree-filter 'git push' HEAD",
  'git difftool --extcmd="git push" x',
  'git difftool -x "git push" x',
  "git fetch --upload-pack='git push'",
  "git ls-remote --upload-pack 'git push' x",
  "git clone -u 'git push' x",
  "git push-x; git grep -O'git push' x",
  "git grep --open-files-in-pager='git push' x",
  "git archive --exec='git push' --remote=x HEAD",
  "git -c alias.p='!git push' status",
  'git-push origin',
  '/usr/lib/git-core/git-push origin',
  'sudo git submodule foreach git push',
  'find . -exec env git push {} +',
]

test.for(SHOWN)(
  'PE-1 PE-4 a rule that denies a command of git denies it in arguments of git: %s',
  async (line) => {
    expect(await actionOf(line, PUSH)).toBe('deny')
    expect(await actionOf(line, [])).toBe('allow')
  },
)

test.for([
  'git bisect run rm x',
  'git submodule foreach rm x',
  'git submodule foreach --quiet "cd a; rm x"',
  "git -c alias.p='!rm x' p",
  "git -c core.editor='rm x' commit",
  'find . -exec a {} ; -exec env rm x ;',
])('PE-4 a rule that denies another command denies it in arguments of git and of find: %s', async (line) => {
  expect(await actionOf(line.replaceAll(' ;', ' \\;'), deny('rm x', 'rm x *'))).toBe('deny')
  expect(await actionOf(line.replaceAll('rm', 'rn'), deny('rm x', 'rm x *'))).toBe('allow')
})

/** Calls that run what they name. */
const CLEAR = [
  'git status',
  'git fetch origin',
  'git -C push status',
  'git commit -m "git push"',
  'git log --grep "git push" -u',
  'git log --author="git push"',
  'git -c user.name=A -c user.email=a@b commit -m x',
  'git -c color.ui=never -c core.quotePath=false diff',
  'git --version',
  'git --exec-path',
  'git -P log -1',
  'git rebase -x "npm test" main',
  'git submodule foreach "git status"',
  'git submodule update --init',
  'git bisect run npm test',
  'git add -u',
  'git grep GIT_SSH_COMMAND',
  'GIT_EDITOR=true git rebase --continue',
  'GIT_PAGER=cat git log; GIT_SEQUENCE_EDITOR=: git rebase -i x',
  'GIT_AUTHOR_NAME=A GIT_COMMITTER_EMAIL=b git commit -m x',
  'EDITOR=true git commit',
  'X=1 git fetch > log',
  'export PATH=$HOME/bin:$PATH; git status',
  'echo git p',
  'gitk p',
  'git-lfs x',
]

test.for(CLEAR)('PE-1 a rule that denies another command of git does not deny: %s', async (line) => {
  expect(await actionOf(line, PUSH)).toBe('allow')
})

test('PE-1 a call that may be any command of git is asked about where a rule asks, and without one as ever', async () => {
  const ask = { permission: 'command', pattern: 'git push *', action: 'ask', source: 'project' } as const
  const allow = { ...ask, pattern: '*', action: 'allow' } as const
  expect(evaluate(await required('git p'), [ask, allow]).action).toBe('ask')
  expect(evaluate(await required('git p'), [allow]).action).toBe('allow')
  expect(evaluate(await required('git p'), []).action).toBe('ask')
  // A rule for this line is more specific than one that is not pinned.
  const loose = { ...ask, pattern: 'git p*', action: 'deny' } as const
  const exact = { ...ask, pattern: 'git prune-all', action: 'allow' } as const
  expect(evaluate(await required('git prune-all'), [loose, exact]).action).toBe('allow')
  expect(evaluate(await required('git prune-all'), [exact, ...PUSH]).action).toBe('deny')
})

test('PE-2 the reason says that the command of git cannot be seen', async () => {
  const requirements = await required('git p')
  expect(decideCall({ requirements, rules: PUSH, mode: 'ask', watched: null })).toEqual({
    action: 'deny',
    reason: 'A rule denies a command of git, and this may be any of them: git p.',
  })
})

test('PE-4 no alias takes the place of a subcommand whose name is certain', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'))
  const run = (verb: string) =>
    spawnSync('git', ['-c', `alias.${verb}=!echo aliased`, verb, '-h'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).stdout.toString()
  try {
    execFileSync('git', ['init', '-q'], { cwd: folder })
    expect(run('p')).toContain('aliased')
    expect([...VERBS].filter((verb) => run(verb).includes('aliased'))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
