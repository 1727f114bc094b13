import { type ProviderRequest, reply, type ScriptedReply, startScriptedProvider } from '@palimpsest/testing'
import { fromPrompt, PLAIN_DELTA, type Script, stamp } from '../script.ts'
import { announce } from './announce.ts'

type Step = ScriptedReply['steps'] extends Iterable<infer T> ? T : never

/** Placeholder for the time, replaced when the delta is sent. */
const TIME = '@time'

function answer(request: ProviderRequest): ScriptedReply {
  const script = scriptOf(request)
  if (script === null) return reply({ text: 'Nothing to play' })
  const { deltas, words = 1, everyMs, stamped, open, weighs } = script
  if (weighs) return reply({ text: String(fixedBytes(request)) })
  const plain = PLAIN_DELTA.repeat(words)
  const played = reply({
    text: Array.from({ length: deltas }, () => (stamped ? TIME : plain)),
    ...(everyMs !== undefined && { everyMs }),
    ...(open && { ending: 'stall' }),
  })
  return stamped ? { ...played, steps: timed(played.steps) } : played
}

/** Bytes of the system prompt and the tool definitions, as they were sent. */
function fixedBytes({ body }: ProviderRequest): number {
  const messages = body['messages'] as { role: string }[]
  const system = messages.filter(({ role }) => role === 'system' || role === 'developer')
  return Buffer.byteLength(JSON.stringify(system) + JSON.stringify(body['tools'] ?? []))
}

/** A step is requested only when the one before is done, so the time is that of sending. */
function* timed(steps: ScriptedReply['steps']): Generator<Step> {
  for (const step of steps)
    yield 'send' in step && typeof step.send === 'string' ? { send: step.send.replace(TIME, stamp) } : step
}

/** The script of the last message of a person that has one: a reminder may come behind it. */
function scriptOf({ body }: ProviderRequest): Script | null {
  const messages = body['messages'] as { role: string; content: string | { text?: string }[] }[]
  const said = messages
    .filter(({ role }) => role === 'user')
    .flatMap(({ content }) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text)))
  return said.map(fromPrompt).findLast((script) => script !== null) ?? null
}

const provider = await startScriptedProvider()
provider.otherwise(answer)
announce(provider.baseURL)
