import { expect, test, vi } from 'vitest'
import type { SessionStore } from '../session/session-store.ts'
import { sendAs } from './send-as.ts'
import type { SessionCommands } from './use-session-commands.ts'

const PARTS = [{ type: 'text' as const, text: 'Go' }]
const MODEL = { providerId: 'lab', modelId: 'm1' }

function setUp() {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const send = vi.fn<SessionStore['send']>(() => ({ messageId: 'msg_1', delivered: promise }))
  const promote = vi.fn<SessionCommands['promote']>()
  const side = { store: { send }, commands: { promote } } satisfies {
    store: Pick<SessionStore, 'send'>
    commands: Pick<SessionCommands, 'promote'>
  }
  // Sending uses these two alone.
  return { send, promote, resolve, side: side as unknown as Parameters<typeof sendAs>[0] }
}

test.each([
  ['queue', false],
  ['steer', true],
  ['interrupt', false],
] as const)('UI-15 a message that is sent as %s goes out once, with its model', (mode, steer) => {
  const { send, side } = setUp()
  sendAs(side, { parts: PARTS, model: MODEL }, mode)
  expect(send.mock.calls).toEqual([[{ parts: PARTS, model: MODEL, steer }]])
})

test('UI-15 a message that interrupts is sent now once the server has it, and not before', async () => {
  const { promote, resolve, side } = setUp()
  sendAs(side, { parts: PARTS, model: null }, 'interrupt')
  expect(promote).not.toHaveBeenCalled()
  resolve(true)
  await vi.waitUntil(() => promote.mock.calls.length > 0)
  expect(promote.mock.calls).toEqual([['msg_1']])
})

test.each([
  ['interrupts and could not be sent', 'interrupt', false],
  ['waits in the queue', 'queue', true],
  ['is added to the reply', 'steer', true],
] as const)('UI-15 a message that %s stops no reply', async (_, mode, isTaken) => {
  const { promote, resolve, side } = setUp()
  sendAs(side, { parts: PARTS, model: null }, mode)
  resolve(isTaken)
  await Promise.resolve()
  await Promise.resolve()
  expect(promote).not.toHaveBeenCalled()
})
