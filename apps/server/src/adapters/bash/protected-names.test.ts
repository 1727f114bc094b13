import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, readFile, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { RunningProcess } from '@palimpsest/core/ports'
import { expect, test } from 'vitest'
import { openSandboxLab } from '../../testing/sandbox-lab.ts'

async function openLab(files: Record<string, string> = {}) {
  const lab = await openSandboxLab()
  const at = (path: string) => join(lab.root, path)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(at(path)), { recursive: true })
    await writeFile(at(path), text)
  }
  return { ...lab, at, text: (path: string) => readFile(at(path), 'utf8') }
}

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

const NESTED = {
  'sub/.mcp.json': '{}',
  'deep/er/.vscode/tasks.json': '{}',
  'deep/er/.husky/pre-commit': 'true',
  'other-chat/palimpsest.config.json': '{}',
  'other-chat/.agents/skills/a/SKILL.md': 'a',
}

test('SX-13 protected names in folders of the workspace are neither changed, replaced nor moved away', async () => {
  await using lab = await openLab(NESTED)
  for (const path of Object.keys(NESTED)) {
    const top = path.replace(/(\.vscode|\.husky|\.agents)\/.*/, '$1')
    await lab.run(
      `echo x >> ${path}; echo x > new; mv -f new ${path}; rm -rf ${top}; mv ${top} away; ln -f a.txt ${path}; ln ${path} second && echo x > second`,
    )
    expect(await lab.text(path), path).toBe(NESTED[path as keyof typeof NESTED])
  }
  expect(await readdir(lab.root)).not.toContain('second')
})

test('SX-13 protected names that a command makes in any folder are set aside, also in a folder that it has put in the place of another', async () => {
  await using lab = await openLab({ ...NESTED, 'src/a.ts': '' })
  const { remarks } = await lab.run(
    `mkdir -p new/folder src/.husky; for path in src/.mcp.json src/.husky/pre-commit new/folder/opencode.json new/.Claude .vscode; do echo x > $path; done
     mv sub moved; mkdir sub; echo x > sub/.mcp.json; mkdir -p node_modules/a; echo x > node_modules/a/.mcp.json`,
  )
  const gone = [
    'src/.mcp.json',
    'src/.husky',
    'new/folder/opencode.json',
    'new/.Claude',
    '.vscode',
    'sub/.mcp.json',
    'moved/.mcp.json',
  ]
  for (const path of gone) expect([path, existsSync(lab.at(path))]).toEqual([path, false])
  expect(remarks).toHaveLength(gone.length)
  expect(remarks).toContainEqual(expect.stringMatching(/^src\/\.mcp\.json is now \.mcp\.json\.set-aside: /))
  expect(await lab.text('moved/.mcp.json.set-aside')).toBe('{}')
  expect(existsSync(lab.at('node_modules/a/.mcp.json'))).toBe(true)
})

test('SX-13 new folders hide no protected name in one that was there, and too many of them are reported', async () => {
  await using lab = await openLab({ 'z/src/a.ts': '' })
  const { remarks } = await lab.run(
    'mkdir -p d/{1..50}/{1..45}; echo x > z/src/.mcp.json; mkdir e{1..30}; for at in e*; do echo x > $at/.mcp.json; done',
  )
  expect(existsSync(lab.at('z/src/.mcp.json'))).toBe(false)
  expect(remarks).toContainEqual(expect.stringContaining('z/src/.mcp.json is now'))
  expect(remarks).toContainEqual(expect.stringMatching(/^\d+ more were renamed in the same way\.$/))
  expect(remarks.at(-1)).toMatch(/^There are more new folders than are looked into/)
  expect(remarks.length).toBeLessThan(25)
  expect((await lab.run('true')).remarks).toEqual([])
})

test('SX-13 what a protected name leads to as a link is protected as well, and what is put in its place is set aside', async () => {
  await using lab = await openLab({ 'shared/claude/settings.json': '{}', 'shared/mcp.json': '{}' })
  await symlink('shared/claude', lab.at('.claude'))
  await symlink('shared/mcp.json', lab.at('.mcp.json'))
  await symlink('shared/later', lab.at('.codex'))
  await lab.run('echo x > shared/claude/settings.json; echo x > shared/mcp.json; rm -rf shared/claude')
  expect([await lab.text('.claude/settings.json'), await lab.text('.mcp.json')]).toEqual(['{}', '{}'])
  const { remarks } = await lab.run(
    'mv shared old; mkdir -p shared/claude shared/later; echo x > shared/claude/settings.json; echo x > shared/mcp.json',
  )
  expect(remarks).toHaveLength(3)
  for (const name of ['.claude', '.mcp.json', '.codex']) expect(existsSync(lab.at(name)), name).toBe(false)
})

test('SX-13 of two commands at once none keeps what the other has made, by whatever way it comes back', async () => {
  await using lab = await openLab({ 'sub/a.ts': '' })
  const first = lab.start(
    'echo x > .mcp.json; echo x > sub/.mcp.json; git init -q r; git -C r config core.fsmonitor x; echo made; while [ ! -e go ]; do sleep 0.02; done',
  ).running
  await saying(first, 'made')
  const second = lab.start(
    `echo on; while [ ! -e .mcp.json.set-aside ]; do sleep 0.02; done; mv .mcp.json.set-aside .mcp.json; mv sub/.mcp.json.set-aside sub/.mcp.json
     mv r/.git/config.set-aside r/.git/config; echo back`,
  ).running
  await saying(second, 'on')
  await writeFile(lab.at('go'), '')
  await first.exited
  await first.end()
  expect(first.remarks).toHaveLength(3)
  await second.exited
  await second.end()
  expect(second.remarks).toHaveLength(3)
  for (const path of ['.mcp.json', 'sub/.mcp.json', 'r/.git/config'])
    expect([path, existsSync(lab.at(path))]).toEqual([path, false])
})

test('SX-13 the same holds for two chats of which one works in a folder of the other, which that one moves', async () => {
  // So many names that the one of the command is beyond those that are mounted.
  const names = Array.from({ length: 300 }, (_, at) => [`p/${at}/.mcp.json`, '{}'] as const)
  await using lab = await openLab({ 'x/y/sub/a.ts': '', ...Object.fromEntries(names) })
  const inner = lab.start(
    'echo x > .mcp.json; echo made; while [ ! -e go ]; do sleep 0.02; done',
    'write',
    lab.at('x/y/sub'),
  ).running
  await saying(inner, 'made')
  await lab.run('mv x/y/sub x/y/moved')
  expect(existsSync(lab.at('x/y/moved/.mcp.json'))).toBe(false)
  await rename(lab.at('x/y/moved/.mcp.json.set-aside'), lab.at('x/y/moved/.mcp.json'))
  const outer = lab.start(
    'echo on; while [ ! -e x/y/moved/.mcp.json.set-aside ]; do sleep 0.02; done; mv x/y/moved/.mcp.json.set-aside x/y/moved/.mcp.json',
  ).running
  await saying(outer, 'on')
  await writeFile(lab.at('x/y/moved/go'), '')
  await inner.exited
  await inner.end()
  expect(inner.remarks).toHaveLength(1)
  await outer.exited
  await outer.end()
  expect(existsSync(lab.at('x/y/moved/.mcp.json'))).toBe(false)
})

test('SX-13 a folder that git takes for a repository by a pointer to another is one', async () => {
  await using lab = await openLab()
  const { remarks } = await lab.run(
    `mkdir -p evil/objects evil/refs x; git -C . config --file evil/config core.fsmonitor 'touch ran'
     echo 'ref: refs/heads/main' > x/HEAD; echo ../evil > x/commondir`,
  )
  expect(remarks).toEqual([expect.stringContaining('x/commondir is now commondir.set-aside')])
  spawnSync('git', ['-C', lab.at('x'), 'status'])
  expect(existsSync(lab.at('x/ran'))).toBe(false)
})

test('SX-13 what a command leaves running makes nothing after it, and a process that goes on ends with it', async () => {
  await using lab = await openLab()
  const { remarks } = await lab.run(
    '(trap "" TERM HUP; setsid bash -c "trap \'\' TERM HUP; while :; do echo x > .mcp.json; done" &) ; while [ ! -e .mcp.json ]; do sleep 0.01; done',
  )
  expect(remarks).toHaveLength(1)
  expect(existsSync(lab.at('.mcp.json'))).toBe(false)
})

test('SX-13 settings of a repository by another protected way stay as they are: a repository beyond the bound is only known', async () => {
  await using lab = await openLab()
  for (let at = 0; at <= 101; at += 1) {
    await mkdir(lab.at(`r/${at}/.git/objects`), { recursive: true })
    await mkdir(lab.at(`r/${at}/.git/refs`))
    await writeFile(lab.at(`r/${at}/.git/HEAD`), 'ref: refs/heads/main\n')
    await writeFile(lab.at(`r/${at}/.git/config`), '[core]\n\tfsmonitor = x\n')
  }
  expect((await lab.run('true')).remarks).toEqual([])
})

test('SX-13 a second name that a protected file had before is a file like others', async () => {
  await using lab = await openLab({ '.mcp.json': '{}' })
  await link(lab.at('.mcp.json'), lab.at('second'))
  expect((await lab.run('echo x > second; ln .mcp.json third')).code).toBe(1)
  expect(await lab.text('.mcp.json')).toBe('x\n')
})

test('SX-13 what a link of a command leads to is looked into, in folders too that are else left out', async () => {
  await using lab = await openLab({ 'src/a.ts': '' })
  const { remarks } = await lab.run(
    `mkdir -p node_modules/evil a/b/c/d/e/f/g/h/i/j; for at in node_modules/evil a/b/c/d/e/f/g/h/i/j; do echo x > $at/.mcp.json; done
     mv src old; ln -s node_modules/evil src; ln -s a/b/c/d/e/f/g/h/i/j new`,
  )
  expect(remarks).toHaveLength(2)
  for (const path of ['src', 'new'])
    expect([path, existsSync(lab.at(`${path}/.mcp.json`))]).toEqual([path, false])
})

test('SX-13 names that are taken stop no file from being set aside', async () => {
  await using lab = await openLab()
  const { remarks } = await lab.run(
    'touch .mcp.json.set-aside .mcp.json-{2..200}.set-aside; echo x > .mcp.json',
  )
  expect(remarks).toEqual([expect.stringMatching(/^\.mcp\.json is now \.mcp\.json-[\da-f-]{36}\.set-aside/)])
  expect(existsSync(lab.at('.mcp.json'))).toBe(false)
})

/** Sets aside as a user who is not root: root reads and writes whatever the rights of a folder are. */
const SETTING_ASIDE = `
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { scanWorkspace } from '${new URL('./scan-workspace.ts', import.meta.url).href}'
import { setAside } from '${new URL('./set-aside.ts', import.meta.url).href}'
async function sentences(root, later) {
  for (const path of [root, root + '/old']) mkdirSync(path)
  const { folders, isCut, at } = await scanWorkspace(root)
  mkdirSync(root + '/new')
  for (const name of ['', 'old/', 'new/']) writeFileSync(root + '/' + name + '.mcp.json', '{}')
  for (const [name, mode] of [['new', 0o300], ['old', 0o100], ['', 0o500]]) chmodSync(root + '/' + name, mode)
  return await setAside(root, { known: new Map(), parts: new Map(), settings: new Map(), folders, isCut, at: at + later })
}
console.log(JSON.stringify([await sentences(process.argv[1], 0), await sentences(process.argv[2], 3_600_000)]))
`

test('SX-13 rights that a command takes from its folders stop no file from being set aside, and rights from before it stay', async () => {
  await using lab = await openLab()
  const roots = [lab.at('taken'), lab.at('from-before')] as const
  const plain = '--unshare-user --cap-drop ALL --bind / / --dev-bind /dev /dev --proc /proc'.split(' ')
  const node = [process.execPath, '--input-type=module', '-e', SETTING_ASIDE, ...roots]
  const { stdout, stderr } = spawnSync('bwrap', [...plain, ...node])
  const [taken, fromBefore] = JSON.parse(stdout.toString() || `["${stderr}"]`)
  expect([taken.length, fromBefore.length]).toEqual([3, 1])
  for (const name of ['.mcp.json', 'old/.mcp.json', 'new/.mcp.json'])
    expect([name, existsSync(join(roots[0], name))]).toEqual([name, false])
  const modes = await Promise.all([roots[0], roots[1], join(roots[1], 'old')].map((path) => stat(path)))
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o500, 0o500, 0o100])
})
