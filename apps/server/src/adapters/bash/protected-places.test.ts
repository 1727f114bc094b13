import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROTECTED_NAMES } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'

/** For printf. */
const HOOK = '#!/bin/sh\\ntouch ran\\n'
const git = (at: string, ...args: string[]) => spawnSync('git', ['-C', at, ...args]).stdout.toString()

/** Commits as a person would outside of the sandbox; returns whether a hook ran. */
function runsHookOutside(at: string): boolean {
  git(at, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-qm', 'a')
  return existsSync(join(at, 'ran'))
}

const WAYS = [
  `printf '${HOOK}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  `rm -rf .git/hooks; mkdir -p .git/hooks; printf '${HOOK}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  `mv .git/hooks .git/h; cp -r .git/h .git/hooks; printf '${HOOK}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  `mv .git g; cp -r g .git; printf '${HOOK}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  `cp -r .git g; rm -rf .git; mv g .git; printf '${HOOK}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  `mkdir e; printf '${HOOK}' > e/pre-commit; chmod +x e/pre-commit; git config core.hooksPath e; printf '[core]\\nhooksPath=e\\n' >> .git/config; printf '[core]\\nhooksPath=e\\n' > .git/config.new; mv -f .git/config.new .git/config`,
  `mkdir e; printf '${HOOK}' > e/pre-commit; chmod +x e/pre-commit; printf '[core]\nhooksPath=e\n' > .git/config.worktree`,
  `cp -r .git e; printf '${HOOK}' > e/hooks/pre-commit; chmod +x e/hooks/pre-commit; echo ../e > .git/commondir`,
  `cp -r .git /tmp/g; ln -sfn hooks .git/x; ln -f a.txt .git/hooks/pre-commit`,
]

test('SX-13 a hook that a command writes without a sandbox runs outside', async () => {
  await using lab = await openSandboxLab()
  spawnSync('bash', ['-c', WAYS[0] ?? ''], { cwd: lab.root })
  expect(runsHookOutside(lab.root)).toBe(true)
})

test.for(WAYS)('SX-13 no hook of the repository runs outside after a command: %s', async (line) => {
  await using lab = await openSandboxLab()
  await lab.run(line)
  git(lab.root, 'config', 'extensions.worktreeConfig', 'true')
  expect(runsHookOutside(lab.root)).toBe(false)
})

test('SX-13 hooks and settings that a repository lacks cannot be made in it either', async () => {
  await using lab = await openSandboxLab()
  spawnSync('rm', ['-rf', join(lab.root, '.git/hooks')])
  git(lab.root, 'config', 'extensions.worktreeConfig', 'true')
  await lab.run(
    `mkdir -p .git/hooks; printf '${HOOK}' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
  )
  await lab.run('mkdir e; echo x > e/pre-commit; git config --worktree core.hooksPath e')
  expect(runsHookOutside(lab.root)).toBe(false)
  expect(await readFile(join(lab.root, '.git/config.worktree'), 'utf8')).toBe('')
})

test('SX-13 repositories inside the workspace, submodules and linked work trees are protected as its own', async () => {
  await using lab = await openSandboxLab()
  const at = (path: string) => join(lab.root, path)
  git(lab.root, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-qm', 'a')
  spawnSync('git', ['init', '-q', at('deep/er/nested')])
  git(lab.root, 'worktree', 'add', '-q', at('tree'))
  await mkdir(at('.git/modules/a/b/hooks'), { recursive: true })
  await writeFile(at('.git/modules/a/b/HEAD'), 'ref: refs/heads/main\n')
  await lab.run(
    `for hooks in deep/er/nested/.git/hooks .git/modules/a/b/hooks; do printf '${HOOK}' > $hooks/pre-commit; chmod +x $hooks/pre-commit; done
     mv .git/modules/a/b .git/modules/a/c; mv .git/modules .git/m
     cp -r .git e; printf '${HOOK}' > e/hooks/pre-commit; chmod +x e/hooks/pre-commit
     echo "$PWD/e" > .git/worktrees/tree/commondir; echo "gitdir: $PWD/e" > tree/.git`,
  )
  expect(await readdir(at('.git/modules/a/b/hooks'))).toEqual([])
  expect(runsHookOutside(at('deep/er/nested'))).toBe(false)
  expect(runsHookOutside(at('tree'))).toBe(false)
  expect(
    (await lab.run('cd tree && git -c user.name=a -c user.email=a@b commit --allow-empty -qm b')).code,
  ).toBe(0)
})

test('SX-13 in a repository that a command makes hooks and settings that start programs are set aside and named', async () => {
  await using lab = await openSandboxLab()
  const plain = await lab.run('git init -q made && cd made && git remote add origin ../work && git status')
  expect(plain).toMatchObject({ code: 0, remarks: [] })
  const { remarks } = await lab.run(
    `git init -q new && printf '${HOOK}' > new/.git/hooks/pre-commit && chmod +x new/.git/hooks/pre-commit
     git init -q other && git -C other config core.fsmonitor 'touch ran'
     cp -r new bare && mv bare/.git/* bare && mkdir linked && ln -s ../new/.git linked/.git && mkdir l2 && echo "gitdir: ../bare" > l2/.git`,
  )
  expect(remarks.join('\n')).toMatch(/new\/\.git\/hooks\/pre-commit is now pre-commit\.set-aside/)
  expect(remarks.join('\n')).toMatch(/other\/\.git\/config is now config\.set-aside/)
  for (const at of ['new', 'other', 'linked', 'l2'])
    expect(runsHookOutside(join(lab.root, at)), at).toBe(false)
  expect((await lab.run('true')).remarks).toEqual([])
})

test('SX-13 a first repository of a workspace can be made and used, without hooks', async () => {
  await using lab = await openSandboxLab()
  spawnSync('rm', ['-rf', join(lab.root, '.git')])
  const made = await lab.run(
    `git init -q && git add a.txt && git -c user.name=a -c user.email=a@b commit -qm a && printf '${HOOK}' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit`,
  )
  expect(made).toMatchObject({ code: 0, remarks: [expect.stringContaining('pre-commit.set-aside')] })
  expect(runsHookOutside(lab.root)).toBe(false)
  expect((await lab.run('git log --oneline | wc -l')).text).toBe('2\n')
})

test('SX-13 settings of agents and of this server in the workspace are neither changed, replaced nor made', async () => {
  await using lab = await openSandboxLab()
  const [first = '', ...others] = PROTECTED_NAMES
  await writeFile(join(lab.root, first), '{}')
  await symlink('a.txt', join(lab.root, '.claude'))
  const { remarks } = await lab.run(
    `for name in ${PROTECTED_NAMES.join(' ')}; do rm -rf $name; mv a.txt $name; echo '{"hooks":{}}' > $name; done; ls`,
  )
  expect(await readFile(join(lab.root, first), 'utf8')).toBe('{}')
  for (const name of others) expect(existsSync(join(lab.root, name)), name).toBe(false)
  expect(remarks).toHaveLength(others.length)
  expect((await lab.run('true')).remarks).toEqual([])
  expect(await readlink(join(lab.root, first)).catch(() => 'no link')).toBe('no link')
})

test('SX-13 a command leaves nothing in the workspace but what it has made', async () => {
  await using lab = await openSandboxLab()
  const before = await readdir(lab.root, { recursive: true })
  expect(await lab.run('touch made')).toMatchObject({ code: 0, remarks: [] })
  expect((await readdir(lab.root, { recursive: true })).filter((path) => !before.includes(path))).toEqual([
    'made',
  ])
})

test('SX-13 settings of a repository that is put where another was are set aside', async () => {
  await using lab = await openSandboxLab()
  expect(await lab.run('mkdir -p q/r && cd q/r && git init -q .')).toMatchObject({ code: 0, remarks: [] })
  const { remarks } = await lab.run(
    'mv q/r q/old; mkdir q/r; cp -r q/old/.git q/r/.git; printf "[core]\\n\\tfsmonitor = touch /x\\n" >> q/r/.git/config',
  )
  expect(remarks).toEqual([expect.stringContaining('q/r/.git/config is now config.set-aside')])
})

test('SX-13 a pointer of a repository to another that a command has made is set aside, and a work tree of its own is not', async () => {
  await using lab = await openSandboxLab()
  const { remarks } = await lab.run(
    'mkdir evil; cp -r .git/objects .git/refs .git/HEAD .git/config evil/; echo ../evil > .git/commondir',
  )
  expect(remarks).toEqual([expect.stringContaining('.git/commondir is now commondir.set-aside')])
  const tree = await lab.run(
    'git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a && git worktree add -q tree && git -C tree status -s',
  )
  expect(tree).toMatchObject({ code: 0, remarks: [] })
})

test('SX-13 a repository outside, of which the workspace is a linked work tree, is not written', async () => {
  await using lab = await openSandboxLab()
  const main = join(lab.path, 'main')
  spawnSync('git', ['init', '-q', main])
  git(main, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '--allow-empty', '-qm', 'a')
  git(main, 'worktree', 'add', '-q', join(lab.root, 'tree'))
  const commit = 'git -c user.name=a -c user.email=a@b commit --allow-empty -qm b'
  const { code, text } = await lab.run(commit, 'write', join(lab.root, 'tree'))
  expect(code).not.toBe(0)
  expect(text).toMatch(/read-only file system/i)
  expect((await lab.run('git log --oneline', 'write', join(lab.root, 'tree'))).text).toMatch(/ a\n$/)
})
