import { type ProviderRequest, reply, type ScriptedReply } from '@palimpsest/core/testing'

/** Tool calls of one run. */
const CALLS = 3

/**
 * Answers every user message with a run of four steps: three that say something and call a tool, one that ends it. About
 * 60 chunks, a few milliseconds apart.
 */
export function toolRun(request: ProviderRequest, everyMs = 3): ScriptedReply {
  const step = callsSinceQuestion(request)
  const text = Array.from({ length: 10 }, (_, word) => `step${step}.${word} `)
  if (step >= CALLS) return reply({ text, everyMs })
  const items = [{ text: `task ${step}`, status: 'pending' }]
  return reply({ text, everyMs, toolCalls: [{ id: `call_${step}`, name: 'todo', input: { items } }] })
}

function callsSinceQuestion({ body }: ProviderRequest): number {
  // The body is what the provider package made of a conversation.
  const messages = body['messages'] as { role: string }[]
  const question = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(question).filter(({ role }) => role === 'tool').length
}
