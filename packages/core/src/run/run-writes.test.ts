import { expect, test } from 'vitest'
import type { Session } from '../domain/session/session.ts'
import type { HookView } from '../domain/settings/hook.ts'
import type { BackgroundCommand } from '../tool/shell.ts'
import { isNotAlone } from './run-writes.ts'

const HOOK = {} as HookView

function command(exit: BackgroundCommand['exit']): BackgroundCommand {
  return { id: 'prc_1', sessionId: 'root', command: 'sleep 1', startedAt: 0, exit }
}

const NOTHING = { hooks: [] as HookView[], below: [] as string[], commands: [] as BackgroundCommand[] }

test.for([
  [{}, false],
  [{ commands: [command({ code: 0, signal: null })] }, false],
  [{ commands: [command(null)] }, true],
  [{ below: ['child'] }, true],
  [{ hooks: [HOOK] }, true],
] as const)('RW-5 beside the calls of a run %j may change files: %s', ([given, expected]) => {
  const { hooks, below, commands } = { ...NOTHING, ...given }
  const session = { id: 'root', metadata: {} } as Session
  const asked: (string | null)[] = []
  const others = {
    hookRunner: { list: () => [...hooks] },
    coordinator: { subagents: () => below.map((sessionId) => ({ sessionId, parentId: 'root' })) },
    shell: {
      list(sessionId: string | null) {
        asked.push(sessionId)
        return [...commands]
      },
    },
  }
  expect(isNotAlone({ session }, others)).toBe(expected)
  expect(asked.every((sessionId) => sessionId === 'root')).toBe(true)
  expect(isNotAlone({ session }, { ...others, shell: null })).toBe(expected && commands.length === 0)
})
