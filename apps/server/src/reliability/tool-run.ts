import { type ProviderRequest, reply, type ScriptedReply } from '@palimpsest/testing'

/** Tool calls of one run, unless a steering message starts the count again. */
const CALLS = 3

/** Text deltas of each step: those of the four steps are 60, and the chunks of parts, steps and calls come on top. */
const WORDS = 15

/** Answers every user message with a run of four steps: three with text and a tool call, and a last one with text only. */
export function toolRun(request: ProviderRequest, everyMs = 3): ScriptedReply {
  const step = callsSinceQuestion(request)
  const text = Array.from({ length: WORDS }, (_, word) => `step${step}.${word} `)
  if (step >= CALLS) return reply({ text, everyMs })
  const todos = [{ content: `task ${step}`, status: 'pending' }]
  return reply({ text, everyMs, toolCalls: [{ id: `call_${step}`, name: 'todo', input: { todos } }] })
}

function callsSinceQuestion({ body }: ProviderRequest): number {
  // The provider package builds the body from the conversation.
  const messages = body['messages'] as { role: string }[]
  const question = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(question).filter(({ role }) => role === 'tool').length
}
