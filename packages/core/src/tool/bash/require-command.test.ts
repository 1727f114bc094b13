import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createScriptedProcesses, wrapNothing } from '@palimpsest/testing/scripted-processes.ts'
import { expect, test } from 'vitest'
import { evaluate } from '../../permission/evaluate.ts'
import type { SandboxInfo, WorkspaceFacts } from '../../ports/index.ts'
import { withCommandPolicy } from './command-watchdog.ts'
import { requireCommand, widerCommands } from './require-command.ts'
import { createShell } from './shell.ts'

function openLab(facts: Partial<WorkspaceFacts> = {}, kind: SandboxInfo['kind'] = 'bwrap') {
  const { processes, inspected } = createScriptedProcesses(facts)
  const shell = createShell({
    sandbox: { info: { kind }, probe: async () => ({ kind }), wrap: wrapNothing },
    processes,
    clock: createFakeClock(),
    logger: silentLogger,
  })
  return {
    inspected,
    required: (line: string, root: string | null = '/w') => requireCommand(line, root, shell),
  }
}

const reading = (pattern: string) => ({ permission: 'command', pattern, readOnly: true })
const read = (pattern: string) => ({ permission: 'read', pattern })

test('PE-4 a line that reads requires each of its commands as reading, and the files that they name', async () => {
  const { required, inspected } = openLab()
  expect(await required('cat src/../a.ts && head b/*.md')).toEqual([
    reading('cat src/../a.ts'),
    reading('head b/*.md'),
    read('a.ts'),
    read('b'),
  ])
  const reach = {
    reads: ['src/../a.ts', 'b/'],
    globs: ['b/*.md'],
    bare: [],
    texts: [],
    trees: [],
    walks: [],
    gitFolders: [],
    gitPrints: [],
  }
  expect(inspected).toEqual([reach])
})

test('PE-1 the files that a glob matches are required too, while they are few', async () => {
  const found = (count: number) => ({ matched: Array.from({ length: count }, (_, at) => `b/${at}.md`) })
  const of = async (count: number) => (await openLab(found(count)).required('cat b/*.md')).slice(1)
  expect(await of(2)).toEqual([read('b'), read('b/0.md'), read('b/1.md')])
  expect(await of(100)).toEqual([read('b')])
})

test('PE-7 a glob that a file makes an option of makes the whole line one that is asked about once', async () => {
  const { required, inspected } = openLab({ misread: '*.ts' })
  expect(await required('wc -l *.ts')).toEqual([
    {
      permission: 'command',
      pattern: 'wc -l *.ts',
      reason: 'A file has a name that makes an option of *.ts.',
      once: true,
      exact: true,
    },
  ])
  expect(inspected).toMatchObject([{ globs: ['*.ts'], bare: ['*.ts'], texts: [] }])
})

test('PE-7 without a sandbox a line that is not on the short list requires a permission', async () => {
  for (const line of ['awk 1 a', 'cat *.ts', 'cat < a']) {
    const isReading = async (kind: SandboxInfo['kind']) =>
      (await openLab({}, kind).required(line)).every(
        (one) => one.readOnly === true || one.permission === 'read',
      )
    expect([line, await isReading('bwrap'), await isReading('none')]).toEqual([line, true, false])
  }
  expect(await openLab({}, 'none').required('cat a')).toEqual([reading('cat a'), read('a')])
})

test('PE-7 beside a command that does more a reading counts only from the short list', async () => {
  const { required } = openLab()
  expect((await required('awk 1 a; npm test')).map(({ readOnly }) => readOnly)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(await required('cat a; npm test')).toContainEqual(reading('cat a'))
  // There hooks run.
  expect((await required('git diff; npm test'))[0]?.readOnly).toBe(undefined)
})

test('PE-4 files are required once, in one spelling, and the folder itself as a dot', async () => {
  const { required } = openLab()
  expect(await required('cat ./a a .//a; ls .; cat /w/b')).toEqual([
    reading('cat ./a a .//a'),
    reading('ls .'),
    reading('cat /w/b'),
    read('a'),
    read('.'),
    read('/w/b'),
  ])
})

test('PE-4 a link that leads outside makes the whole line one that is asked about once', async () => {
  const { required } = openLab({ outside: 'notes' })
  expect(await required('ls && cat notes/x')).toEqual([
    {
      permission: 'command',
      pattern: 'ls && cat notes/x',
      reason: 'notes leads outside of the workspace, or to what this server keeps.',
      once: true,
      exact: true,
    },
    reading('ls'),
    reading('cat notes/x'),
  ])
})

test('PE-4 settings of git that name programs make the git command one that is asked about', async () => {
  const { required, inspected } = openLab({ gitStartsPrograms: true })
  const reason = 'Git may start programs that this repository names.'
  expect(await required('git status')).toEqual([{ permission: 'command', pattern: 'git status', reason }])
  const moved = {
    pattern: 'cd a && git log',
    reason: `${reason} It runs in another folder.`,
    once: true,
    exact: true,
  }
  expect(await required('cd a && git log')).toEqual([
    { permission: 'command', ...moved },
    reading('cd a'),
    reading('git log'),
  ])
  expect(inspected.map(({ gitFolders }) => gitFolders)).toEqual([[''], ['', 'a/']])
  expect(await required('cat a')).toEqual([reading('cat a'), read('a')])
})

test('PE-4 PE-7 a line whose git prints what the repository has of a file of the server is asked about as a whole and once', async () => {
  const reason = 'The repository tracks data/key, which this server keeps, and git prints what it has of it.'
  const { required, inspected } = openLab({ tracked: 'data/key' })
  expect(await required('ls; git diff')).toEqual([
    { permission: 'command', pattern: 'ls; git diff', reason, once: true, exact: true, always: true },
    reading('ls'),
    reading('git diff'),
  ])
  expect(inspected).toMatchObject([{ gitPrints: [''] }])
  // A wide rule does not let it through.
  const rule = { permission: 'command', pattern: 'git grep *', action: 'allow', source: 'session' } as const
  for (const kind of ['bwrap', 'none'] as const) {
    const tracking = await openLab({ tracked: 'data/key' }, kind).required('git grep --heading x')
    expect(evaluate(tracking, [rule]).action).toBe('ask')
    expect(evaluate(await openLab({}, kind).required('git grep --heading x'), [rule]).action).toBe('allow')
  }
})

const READS = { permission: 'read', pattern: '*', action: 'allow', source: 'manifest' } as const

test('PE-4 PE-7 a rule for the exact line, which was given before, does not let it read what the server keeps', async () => {
  const exact = (pattern: string) =>
    ({ permission: 'command', pattern, action: 'allow', source: 'session' }) as const
  const action = async (line: string, facts: Partial<WorkspaceFacts>) =>
    evaluate(await openLab(facts, 'none').required(line), [exact(line), READS]).action
  for (const own of [{ tracked: 'data/key' }, { linked: 'key' }, { outside: 'a', isOwn: true }]) {
    expect([own, await action('git show HEAD', own)]).toEqual([own, 'ask'])
    expect([own, await action('awk 1 a', own)]).toEqual([own, 'ask'])
  }
  expect(await action('git show HEAD', { outside: 'a' })).toBe('allow')
  expect(await action('git show HEAD', {})).toBe('allow')
})

test('PE-7 without a sandbox a wide rule lets in no file of the server, and no folder that holds one', async () => {
  const wide = { permission: 'command', pattern: 'git add *', action: 'allow', source: 'session' } as const
  const { processes, inspected } = createScriptedProcesses()
  const shell = {
    sandbox: { kind: 'none' },
    inspect: async (root: string, reach: Parameters<typeof processes.inspect>[1]) => ({
      ...(await processes.inspect(root, reach)),
      outside: reach.walks[0] ?? null,
    }),
  } as const
  const required = await requireCommand('git add src a.ts', '/w', shell)
  expect(inspected.at(-1)).toMatchObject({ walks: ['src', 'a.ts'], reads: [] })
  expect(required[0]).toMatchObject({
    reason:
      'src is, or holds, what this server keeps. It runs without a sandbox, with all rights of the server.',
    exact: true,
  })
  expect(evaluate(required, [wide]).action).toBe('ask')
  expect(evaluate(required, [{ ...wide, pattern: 'git add src a.ts' }]).action).toBe('allow')
  expect(evaluate(await openLab({}, 'none').required('git add src'), [wide]).action).toBe('allow')
  const boxed = openLab({}, 'bwrap')
  expect(evaluate(await boxed.required('git add src'), [wide]).action).toBe('allow')
  expect(boxed.inspected).toHaveLength(1)
  const other = openLab({}, 'none')
  await other.required('make check')
  expect(other.inspected).toHaveLength(1)
})

test('PE-4 what a line may run beside what it shows is required as possible', async () => {
  const { required } = openLab()
  expect(await required('npx --odd rm x')).toContainEqual({ ...reading('rm x'), maybe: true })
  expect(await required('cat names | xargs git push')).toContainEqual({
    ...reading('git push'),
    maybe: true,
    anyOf: 'git push',
  })
})

test('PE-4 what only reads beside a command that does more is inspected as it is alone', async () => {
  const line = 'cd notes && cat x; npm test'
  expect(await openLab({ outside: 'notes' }).required(line)).toEqual([
    {
      permission: 'command',
      pattern: line,
      reason: 'notes leads outside of the workspace, or to what this server keeps.',
      once: true,
      exact: true,
    },
    ...['cd notes', 'cat x', 'npm test'].map(reading),
  ])
  const { required } = openLab({ gitStartsPrograms: true })
  expect((await required('git status; npm test')).map(({ readOnly }) => readOnly)).toEqual([
    undefined,
    undefined,
  ])
  expect(await required('cat a; npm test')).toContainEqual(read('a'))
})

test('PE-4 a line of more folders than are followed is asked about as a whole, though each command only reads', async () => {
  const line = `${Array.from({ length: 9 }, (_, at) => `cd d${at}`).join('; ')}; cat x`
  expect(await openLab().required(line)).toEqual([
    { permission: 'command', pattern: line, reason: expect.any(String), once: true, exact: true },
    ...line.split('; ').map(reading),
  ])
})

test.for([
  ['cd fix && git fetch origin', 'git fetch *'],
  ['cd fix; git add .', 'git add .'],
  ['cd && npm test', 'npm test'],
  ['cd src\nnpm test', 'npm test'],
  ['cd .. && cd w && make x', 'make x'],
] as const)('PE-7 a rule for a command does not allow it in another folder: %s', async ([line, pattern]) => {
  const { required } = openLab()
  const rule = { permission: 'command', pattern, action: 'allow', source: 'session' } as const
  expect(evaluate(await required(line), [rule]).action).toBe('ask')
  expect((await required(line))[0]).toMatchObject({ pattern: line, once: true })
  // A denial still counts there.
  const denied = { ...rule, pattern: line.split(/ && |; |\n/).at(-1) ?? '', action: 'deny' } as const
  expect(evaluate(await required(line), [denied]).action).toBe('deny')
})

test.for(['cd . && npm test', 'cd /w && npm test', 'cd ./; npm test'])(
  'PE-7 a rule for a command allows it where a line stays in the root: %s',
  async (line) => {
    const rule = { permission: 'command', pattern: 'npm test', action: 'allow', source: 'session' } as const
    const cd = { ...rule, permission: 'read', pattern: '*' }
    expect(evaluate(await openLab().required(line), [rule, cd]).action).toBe('allow')
  },
)

test.for([
  'git -C . push origin x',
  'git --no-pager push',
  'git -P push --force',
  'git --git-dir=.git push',
  'git --git-dir .git push',
  'git -c a=b push',
  'sudo git -C . push',
  'sh -c "git -C . push origin x"',
])('PE-4 a rule that denies a command of git denies it behind options of git: %s', async (line) => {
  const rule = { permission: 'command', action: 'deny', source: 'manifest', pinned: true } as const
  const rules = [
    { ...rule, pattern: 'git push *' },
    { ...rule, pattern: 'git push' },
  ]
  expect(evaluate(await openLab().required(line), rules).action).toBe('deny')
  expect(evaluate(await openLab().required('git -C push status'), rules).action).not.toBe('deny')
})

test('PE-2 of several commands the reading ones stay readings, and the others are asked about once', async () => {
  const { required, inspected } = openLab()
  expect(await required('ls && npm test')).toEqual([
    reading('ls'),
    { permission: 'command', pattern: 'npm test', reason: expect.stringContaining('`npm`'), once: true },
  ])
  expect(await required('npm test')).toEqual([
    { permission: 'command', pattern: 'npm test', reason: expect.stringContaining('`npm`') },
  ])
  const nothing = {
    reads: [],
    globs: [],
    bare: [],
    texts: [],
    trees: [],
    walks: [],
    gitFolders: [],
    gitPrints: [],
  }
  expect(inspected).toEqual([nothing, nothing])
})

test.for(['rm -rf /', 'ls > x', 'echo $(id)', 'ls "'])(
  'PE-2 a line with other syntax, or that destroys, is required as a whole and once: %s',
  async (line) => {
    const [whole, ...inner] = await openLab().required(line)
    expect(whole).toEqual({ permission: 'command', pattern: line, reason: expect.any(String), once: true })
    expect(inner.every(({ readOnly }) => readOnly)).toBe(true)
  },
)

test.for([
  'git push origin > log',
  'if true; then git push origin; fi',
  'echo $(git push origin)',
  'sudo git push origin',
  '/usr/bin/git push origin',
  'timeout 5 env X=1 git push origin',
  'bash -c "ls; git push origin"',
  'X=1 git push origin',
  '(git push origin)',
  'git push origin &',
])('PE-1 a rule that denies a command denies it inside other syntax and wrappers too: %s', async (line) => {
  const requirements = await openLab().required(line)
  const deny = { permission: 'command', pattern: 'git push *', action: 'deny', source: 'project' } as const
  expect(evaluate(requirements, []).action).toBe('ask')
  expect(evaluate(requirements, [deny]).action).toBe('deny')
})

test('PE-4 without a sandbox every reason says so, and what only reads has no reason', async () => {
  const { required } = openLab({}, 'none')
  const [asked] = await required('npm test')
  expect(asked?.reason).toMatch(/ It runs without a sandbox, with all rights of the server\.$/)
  expect(await required('ls')).toEqual([reading('ls')])
})

test('PE-1 no file of a line is read past the rules: one with more than 100 is asked about as a whole', async () => {
  const { required } = openLab()
  const line = (count: number) => `cat ${Array.from({ length: count }, (_, at) => `f${at}`).join(' ')}`
  const requirements = await required(line(100))
  expect(requirements).toHaveLength(101)
  expect(requirements.at(-1)).toEqual(read('f99'))
  expect(await required(`${line(100)} ./f0 f1`)).toHaveLength(101)
  expect(await required(line(101))).toEqual([
    {
      permission: 'command',
      pattern: line(101),
      reason: 'It reads more than 100 files.',
      once: true,
      exact: true,
    },
  ])
})

test('PE-2 the wider pattern of a command leaves the exact one out, and some have none', () => {
  expect(widerCommands('npm run build')).toEqual(['npm run build *'])
  expect(widerCommands('git fetch origin main')).toEqual(['git fetch *'])
  for (const line of ['git push origin main', 'sudo ls', 'rm x', 'bash x', 'a && b', 'x > y', './run.sh'])
    expect(widerCommands(line), line).toEqual([])
})

const CALL = { sessionId: 's', agentId: 'a', toolId: 'bash', workspaceRoot: '/w' } as const
const policy = withCommandPolicy(undefined)

test.for(['ask', 'accept-edits', 'full-access'] as const)(
  'PE-4 a destructive line is denied in the mode %s',
  (mode) => {
    expect(policy({ ...CALL, mode, args: { command: 'rm -rf /' } })).toMatchObject({ action: 'deny' })
  },
)

test('PE-4 a line that cannot be checked is asked about whatever rules allow, but not in full access', () => {
  const args = { command: 'ls > x' }
  expect(policy({ ...CALL, mode: 'ask', args })).toMatchObject({ action: 'ask' })
  expect(policy({ ...CALL, mode: 'full-access', args })).toBeNull()
  for (const command of ['npm test', 'ls', 'ls; npm test'])
    expect(policy({ ...CALL, mode: 'ask', args: { command } }), command).toBeNull()
})

test('PE-4 the policy for commands is about no other tool and about no call without a line', () => {
  expect(policy({ ...CALL, mode: 'ask', toolId: 'write', args: { command: 'rm -rf /' } })).toBeNull()
  expect(policy({ ...CALL, mode: 'ask', args: {} })).toBeNull()
  expect(policy({ ...CALL, mode: 'ask', args: { command: 7 } })).toBeNull()
})

test.for([
  ['ls', 'deny', 'deny'],
  ['ls > x', 'deny', 'deny'],
  ['ls > x', 'allow', 'ask'],
  ['rm -rf /', 'ask', 'deny'],
  ['rm -rf /', 'allow', 'deny'],
  ['ls', 'ask', 'ask'],
] as const)(
  'PE-4 of the shipped verdict on %s and a host’s %s the stricter one counts, %s',
  ([command, own, action]) => {
    const both = withCommandPolicy(() => ({ action: own, reason: 'The host.' }))
    expect(both({ ...CALL, mode: 'ask', args: { command } })).toMatchObject({ action })
  },
)

test('PE-4 a host’s watchdog that throws denies, also what the policy allows', () => {
  const both = withCommandPolicy(() => {
    throw new Error('Broken')
  })
  expect(both({ ...CALL, mode: 'full-access', args: { command: 'ls' } })).toMatchObject({ action: 'deny' })
})
