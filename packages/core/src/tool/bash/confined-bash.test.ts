import { silentLogger } from '@palimpsest/testing/core-lab.ts'
import { createFakeClock } from '@palimpsest/testing/fake-clock.ts'
import { createScriptedProcesses, wrapNothing } from '@palimpsest/testing/scripted-processes.ts'
import { toolRuntime } from '@palimpsest/testing/tool-runtime.ts'
import { expect, test } from 'vitest'
import type { SandboxInfo } from '../../ports/index.ts'
import { PermissionNeeded, type ToolRuntime } from '../tool.ts'
import { bashTool } from './bash.ts'
import { createShell } from './shell.ts'

const EROFS = 'cat: victim: Read-only file system\n'

function openLab({
  kind = 'bwrap',
  permitted = 'reading',
}: {
  kind?: SandboxInfo['kind']
  permitted?: ToolRuntime['permitted']
} = {}) {
  const { processes, started } = createScriptedProcesses()
  const clock = createFakeClock()
  const places: string[] = []
  const sandbox = {
    info: { kind },
    probe: async () => ({ kind }),
    wrap: (argv: readonly string[], place: Parameters<typeof wrapNothing>[1]) => {
      places.push(`${place.access} ${place.root}`)
      return wrapNothing(argv, place)
    },
  }
  const shell = createShell({ sandbox, processes, clock, logger: silentLogger })
  const runtime = toolRuntime({ shell, clock, permitted })
  const bash = (args: object) =>
    bashTool.execute(bashTool.input.parse({ command: 'cat a', ...args }), runtime)
  return { bash, started, clock, places }
}

/** What the call needs, once the command has said this and ended. */
async function neededBy(lab: ReturnType<typeof openLab>, said: string, code: number, args: object = {}) {
  const result = lab.bash(args)
  lab.started[0]?.print(said)
  lab.started[0]?.exit({ code })
  return await result.then(
    ({ text }) => text,
    (error: unknown) => (error instanceof PermissionNeeded ? error.requirements : error),
  )
}

test('PE-7 a line that only its judgement allows runs with the access read, any other with write', async () => {
  const expected = [
    ['reading', 'read', { LC_MESSAGES: 'C' }],
    ['all', 'write', {}],
  ] as const
  for (const [permitted, access, variables] of expected) {
    const lab = openLab({ permitted })
    await neededBy(lab, '', 0)
    await lab.started[0]?.command.wrap()
    expect(lab.places).toEqual([`${access} /w`])
    expect(lab.started[0]?.command.variables).toEqual(variables)
  }
})

test('PE-7 a line that was judged to read and tried to write needs a permission for its command, not for a wider one', async () => {
  expect(await neededBy(openLab(), EROFS, 1)).toEqual([
    { permission: 'command', pattern: 'cat a', reason: expect.stringMatching(/^This command writes/) },
    { permission: 'read', pattern: 'a' },
  ])
  expect(await neededBy(openLab(), EROFS, 1, { command: 'cat a | sort' })).toMatchObject([
    { permission: 'command', pattern: 'cat a', once: true },
    { permission: 'command', pattern: 'sort', once: true },
    { permission: 'read' },
  ])
})

test('PE-7 one that fails otherwise fails, and where something is not there, with a word on where it ran', async () => {
  const missing = 'cat: a: No such file or directory\n'
  expect(await neededBy(openLab(), missing, 1)).toContain('nothing can be written or reached')
  expect(await neededBy(openLab({ permitted: 'all' }), missing, 1)).not.toContain('nothing can be')
  expect(await neededBy(openLab({ kind: 'none' }), missing, 1)).not.toContain('nothing can be')
  expect(await neededBy(openLab(), 'a\n', 0)).toBe('a')
  expect(await neededBy(openLab(), '', 1)).toBe('[exit code 1]')
})

test('PE-7 a permitted line that meets a read-only disk fails, in the sandbox with a word on what can be written', async () => {
  const permitted = 'all'
  const word = 'Only the workspace can be written'
  expect(await neededBy(openLab({ permitted }), EROFS, 1)).toMatch(
    new RegExp(`Read-only file system.*${word}`, 's'),
  )
  expect(await neededBy(openLab({ permitted }), EROFS, 0)).not.toContain(word)
  expect(await neededBy(openLab({ permitted }), 'denied\n', 1)).not.toContain(word)
  for (const line of [openLab({ kind: 'none' }), openLab({ kind: 'none', permitted })])
    expect(await neededBy(line, EROFS, 1)).toBe('cat: victim: Read-only file system\n[exit code 1]')
})

test('PE-7 a line in the background is confined too, and asks when its first look shows that it writes', async () => {
  const lab = openLab()
  const result = neededBy(lab, EROFS, 1, { background: true })
  await new Promise((resolve) => setImmediate(resolve))
  lab.clock.advance(500)
  expect(await result).toMatchObject([{ permission: 'command', pattern: 'cat a' }, { permission: 'read' }])
  await lab.started[0]?.command.wrap()
  expect(lab.places).toEqual(['read /w'])
})
