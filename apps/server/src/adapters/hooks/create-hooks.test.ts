import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hook } from '@palimpsest/core/ports'
import { silentLogger } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import type { HookConfig } from '../../hook-schema.ts'
import { temporaryFolder } from '../../testing/temporary-folder.ts'
import { createHooks } from './create-hooks.ts'

const PAYLOAD = { event: 'tool.before', sessionId: 's', at: 1, tool: 'bash' } as const

async function open(folder: string, config: Partial<HookConfig>): Promise<Hook> {
  const configured = { event: 'tool.before', ...config } as HookConfig
  const [hook] = await createHooks([configured], { folder, logger: silentLogger })
  if (hook === undefined) throw new Error('There is no hook.')
  return hook
}

const answerOf = (hook: Hook, signal = new AbortController().signal) => hook.run(PAYLOAD, signal)
const shell = (script: string): Partial<HookConfig> => ({ command: ['/bin/sh', '-c', script] })

test('HK-3 a command reads the payload as JSON, and answers in JSON', async () => {
  await using folder = await temporaryFolder()
  const hook = await open(
    folder.path,
    shell('cat > seen.json; echo \'{"decision": "ask", "reason": "Look."}\''),
  )
  expect(await answerOf(hook)).toEqual({ decision: 'ask', reason: 'Look.' })
  expect(JSON.parse(await readFile(join(folder.path, 'seen.json'), 'utf8'))).toEqual(PAYLOAD)
})

test('HK-3 a command that says nothing has no objection, also one that does not read its input', async () => {
  await using folder = await temporaryFolder()
  expect(await answerOf(await open(folder.path, shell('exit 0')))).toEqual({})
})

test('HK-3 exit code 2 blocks with standard error as the reason', async () => {
  await using folder = await temporaryFolder()
  expect(await answerOf(await open(folder.path, shell('echo "Not on Fridays." >&2; exit 2')))).toEqual({
    decision: 'block',
    reason: 'Not on Fridays.',
  })
  expect(await answerOf(await open(folder.path, shell('exit 2')))).toEqual({ decision: 'block' })
})

test.for([
  ['another exit code', shell('exit 1'), 'exit code 1'],
  ['a program that is not there', { command: ['/no/such/program'] }, 'could not be started'],
  ['output that is no JSON', shell('echo yes'), 'no JSON'],
  ['another decision', shell('echo \'{"decision": "allow"}\''), 'decision'],
  ['an unknown key', shell('echo \'{"approve": true}\''), 'approve'],
  ['too much output', shell('head -c 70000 /dev/zero'), '65536 bytes'],
] as const)('HK-3 %s is a failure that says so', async ([, config, said]) => {
  await using folder = await temporaryFolder()
  const failing = answerOf(await open(folder.path, config as Partial<HookConfig>))
  await expect(failing).rejects.toMatchObject({ code: 'HOOK_DENIED', message: expect.stringContaining(said) })
})

test('HK-3 a command gets no variable of the server', async () => {
  await using folder = await temporaryFolder()
  process.env['HOOK_TEST_SECRET'] = 'hush'
  try {
    await answerOf(await open(folder.path, shell('env > env.txt')))
  } finally {
    delete process.env['HOOK_TEST_SECRET']
  }
  expect(await readFile(join(folder.path, 'env.txt'), 'utf8')).not.toContain('hush')
})

test('HK-3 at its time limit a command is killed with everything that it started', async () => {
  await using folder = await temporaryFolder()
  const hook = await open(folder.path, shell('sleep 300 & echo $! > child.txt; wait'))
  const stop = new AbortController()
  const failing = answerOf(hook, stop.signal)
  const path = join(folder.path, 'child.txt')
  await expect.poll(() => readFile(path, 'utf8').catch(() => '')).toMatch(/\d+\n/)
  stop.abort(new Error('Too late'))
  await expect(failing).rejects.toThrow('Too late')
  const pid = Number(await readFile(path, 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
})

/** False also for a process that is dead and whose parent has not asked for its end. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return status !== '' && !/^State:\s+Z/m.test(status)
}

test('HK-3 what a command leaves in the background is ended with it', async () => {
  await using folder = await temporaryFolder()
  const hook = await open(folder.path, shell('sleep 300 & echo $! > child.txt'))
  expect(await answerOf(hook)).toEqual({})
  const pid = Number(await readFile(join(folder.path, 'child.txt'), 'utf8'))
  await expect.poll(() => isRunning(pid)).toBe(false)
})

test('HK-3 a module is loaded at the start, and its answer is checked like that of a command', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'hook.mjs')
  await writeFile(
    path,
    `export default async ({ tool }, { signal }) =>
      tool === 'bash' ? { decision: 'block', reason: String(signal.aborted) } : 'yes'`,
  )
  const hook = await open(folder.path, { module: './hook.mjs' })
  expect(await answerOf(hook)).toEqual({ decision: 'block', reason: 'false' })
  const wrong = hook.run({ ...PAYLOAD, tool: 'read' }, new AbortController().signal)
  await expect(wrong).rejects.toMatchObject({ code: 'HOOK_DENIED' })
})

test.for([
  ['is not there', null],
  ['throws as it is loaded', 'throw new Error("No")'],
  ['exports no function', 'export default 5'],
])('HK-3 a module that %s fails at each call, and the server starts', async ([, source]) => {
  await using folder = await temporaryFolder()
  if (typeof source === 'string') await writeFile(join(folder.path, 'hook.mjs'), source)
  const hook = await open(folder.path, { module: 'hook.mjs', required: true })
  expect(hook.required).toBe(true)
  await expect(answerOf(hook)).rejects.toMatchObject({ message: 'Its module cannot be loaded.' })
})

test.for([
  [['node', 'hooks/no-releases.mjs'], 'node hooks/no-releases.mjs'],
  [['/bin/sh', '-c', 'curl -H "Authorization: Bearer s3cret"'], '/bin/sh'],
  [['notify', '--token=s3cret.abc'], 'notify'],
  [['notify', 's3cret'], 'notify'],
  [['notify', 'https://user:s3cret@host.example'], 'notify'],
] as const)(
  'HK-2 of the command %j persons see the program and its script, and no other argument',
  async ([command, source]) => {
    expect(await open('/', { command: [...command] })).toMatchObject({ source, kind: 'command' })
  },
)

test('HK-2 of a module persons see its path', async () => {
  expect(await open('/', { module: './no-such.mjs' })).toMatchObject({ source: './no-such.mjs' })
})
