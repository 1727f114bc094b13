import { type ProviderRequest, reply, type ScriptedReply, type ScriptedToolCall } from '@palimpsest/testing'

/** Text deltas of a step, and real milliseconds between two. */
const WORDS = 10
const EVERY_MS = 4

/** The commands of a family of runs, each with a line of its own in `RAN`. */
export type FamilyCommands = {
  /** Seconds that a command sleeps which is still running when the server is killed; nothing else sleeps as long. */
  long: string
  /** The same for those in the background. */
  lasting: string
  /** Whether those commands end at once instead. */
  calm: boolean
}

/** The file in the workspace to which each command appends its name. */
export const RAN = 'ran.txt'

/**
 * Answers the runs of a chat and of its two subagents, one in the foreground, one in the background, whose prompts have
 * `Round <name>`. The chat makes four calls in one step: a command in the background, one in the foreground and the subagents;
 * then it runs a command that takes long. The first subagent runs a command; where `name` ends in `q` it asks a question beside it,
 * and where it ends in `s` it runs one in the background beside it, and its next reply never ends. The second subagent runs a
 * command that takes long. No call is requested again that is in the history. Any other text of a person is answered with a text.
 */
export function familyRun({ body }: ProviderRequest, commands: FamilyCommands): ScriptedReply {
  // The provider package builds the body from the conversation.
  const messages = body['messages'] as Sent[]
  const prompt = messages.findLast(isPrompt)
  const [, who = '', name = ''] = /^(Round|Foreground|Background) (\S+)$/.exec(textOf(prompt)) ?? []
  const text = Array.from({ length: WORDS }, (_, word) => `${who}${messages.length}.${word} `)
  const plan = planOf(who, name, commands)
  const requested = JSON.stringify(messages.flatMap(({ tool_calls = [] }) => tool_calls))
  const toolCalls = plan.find((calls) => !calls.some(({ id }) => requested.includes(`"${id}"`)))
  if (toolCalls !== undefined) return reply({ text, everyMs: EVERY_MS, toolCalls })
  return reply({
    text,
    everyMs: EVERY_MS,
    ...(who === 'Foreground' && name.endsWith('s') && { ending: 'stall' }),
  })
}

type Sent = { role: string; content: unknown; tool_calls?: unknown[] }
type Call = ScriptedToolCall & { id: string }

function isPrompt({ role, content }: Sent): boolean {
  return role === 'user' && !textOf({ content }).startsWith('<')
}

function textOf(message: { content: unknown } | undefined): string {
  const { content } = message ?? {}
  // A text alone is a string, or a list of parts with it.
  return typeof content === 'string'
    ? content
    : ((content as { text: string }[] | undefined)?.[0]?.text ?? '')
}

/** The calls of the steps of a run. */
function planOf(who: string, name: string, { long, lasting, calm }: FamilyCommands): Call[][] {
  const sleep = calm ? '' : `; echo on; sleep ${long}`
  const server = (id: string) => call(id, calm ? '' : `; sleep ${lasting}`, { background: true })
  const call = (id: string, line: string, more: object = {}) => bash(`${name}-${id}`, line, more)
  switch (who) {
    case 'Round':
      return [
        [server('server'), call('root', '; sleep 0.1'), task(name, 'Foreground'), task(name, 'Background')],
        [call('last', sleep)],
      ]
    case 'Foreground':
      return [
        [
          call('child', '; sleep 0.1'),
          ...(name.endsWith('q') ? [question(name)] : []),
          ...(name.endsWith('s') ? [server('child-server')] : []),
        ],
      ]
    case 'Background':
      return [[call('behind', sleep)]]
    default:
      return []
  }
}

function bash(id: string, line: string, more: object): Call {
  return { id, name: 'bash', input: { command: `echo '${id}' >> ${RAN}${line}`, ...more } }
}

function task(name: string, who: 'Foreground' | 'Background'): Call {
  const background = who === 'Background'
  const input = { subagent_type: 'general', prompt: `${who} ${name}`, background }
  return { id: `${name}-${who}`, name: 'task', input }
}

function question(name: string): Call {
  return {
    id: `${name}-question`,
    name: 'question',
    input: { questions: [{ question: 'Left?', options: [] }] },
  }
}
