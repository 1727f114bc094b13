import { expect, test } from 'vitest'
import type { Hook } from '../../ports/index.ts'
import { noteHooks } from './note-hooks.ts'

const PAYLOAD = { sessionId: 'chat', runId: 'run', toolCallId: 'call' }

type Change = { payload?: object; active?: object | null; session?: object | null; journal?: boolean }

/** A hook of an event, and what was noted around it. */
async function runHook(event: Hook['event'], change: Change = {}) {
  const noted: string[] = []
  const ran: unknown[] = []
  const hook = {
    name: 'format',
    event,
    run(payload: unknown) {
      ran.push(payload)
      return Promise.resolve({ note: 'formatted' })
    },
  } as unknown as Hook
  const { payload = PAYLOAD, active = { runId: 'run', messageId: 'reply' }, journal = true } = change
  const session = change.session === undefined ? { id: 'chat', workspaceRoot: '/w' } : change.session
  const [found] = noteHooks([hook], {
    store: { sessions: { get: () => Promise.resolve(session) } },
    workspaces: {
      resolve: (root: string) => Promise.resolve(root),
      real: (root: string) => Promise.resolve(root),
    },
    coordinator: { active: () => active },
    workspace: {
      openRun: ({ runId, messageId }: { runId: string; messageId: string }) =>
        journal
          ? {
              around(toolCallId: string, work: () => Promise<unknown>) {
                noted.push(`${runId} ${messageId} ${toolCallId}`)
                return work()
              },
            }
          : null,
    },
  } as never)
  const answer = await found?.run(payload as never, new AbortController().signal)
  return { noted, ran, answer }
}

test('RW-5 HK-1 what a hook after a call changes is noted as that call’s', async () => {
  const { noted, ran, answer } = await runHook('tool.after')
  expect(noted).toEqual(['run reply call'])
  expect(ran).toEqual([PAYLOAD])
  expect(answer).toEqual({ note: 'formatted' })
})

test.for(['tool.before', 'message.user'] as const)('RW-5 a hook of %s is left as it is', async (event) => {
  const { noted, ran } = await runHook(event)
  expect(noted).toEqual([])
  expect(ran).toEqual([PAYLOAD])
})

test.for([
  ['that names no session', { payload: { ...PAYLOAD, sessionId: undefined } }],
  ['of a session that is gone', { session: null }],
  ['that names no call', { payload: { ...PAYLOAD, toolCallId: undefined } }],
  ['of a run that is over', { active: null }],
  ['of another run', { active: { runId: 'other', messageId: 'reply' } }],
  ['of a run without a reply', { active: { runId: 'run', messageId: null } }],
  ['in a folder whose files nothing keeps', { journal: false }],
] as const)('RW-5 a hook %s runs all the same, and nothing is noted', async ([, change]) => {
  const { noted, ran, answer } = await runHook('tool.after', change)
  expect(noted).toEqual([])
  expect(ran).toHaveLength(1)
  expect(answer).toEqual({ note: 'formatted' })
})
