import type { ChatMessage } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { agentOfChat } from './agent-of-chat.ts'
import type { Outgoing } from './outgoing.ts'
import { initialSessionState, type SessionState } from './session-state.ts'

const session = { agent: 'assistant' } as SessionState['session']
const NOTHING = { ...initialSessionState('ses_1', 'ready'), session }

function message(agent?: string, hiddenBy?: string): ChatMessage {
  const metadata = {
    schemaVersion: 1,
    createdAt: 0,
    ...(agent !== undefined && { agent }),
    ...(hiddenBy !== undefined && { hiddenBy }),
  } as const
  return { id: `msg_${agent}`, role: 'user', metadata, parts: [] }
}

const outgoing = (agent?: string): Outgoing => ({
  message: message(),
  model: null,
  queued: false,
  steer: false,
  replaces: null,
  createsSession: false,
  state: { type: 'sending' },
  ...(agent !== undefined && { agent }),
})

const reply: ChatMessage = { id: 'msg_r', role: 'assistant', parts: [] }

test.each([
  ['its own agent without any message', {}, 'assistant'],
  ['no agent before the server has it', { session: null }, null],
  ['the agent of its last visible question', { messages: [message('a'), reply, message('b'), reply] }, 'b'],
  ['its own agent after a question to that one', { messages: [message('a'), message()] }, 'assistant'],
  ['the agent before a question that a rewind hid', { messages: [message('a'), message('b', 'op_1')] }, 'a'],
  ['the agent of what is queued', { messages: [message('a')], queue: [message('b')] }, 'b'],
  ['the agent of what is on its way', { queue: [message('b')], outgoing: [outgoing('c')] }, 'c'],
  ['the agent of its first message on its way', { session: null, outgoing: [outgoing('c')] }, 'c'],
])('SA-7 a chat has %s', (_, over, agent) => {
  expect(agentOfChat({ ...NOTHING, ...over })).toBe(agent)
})
