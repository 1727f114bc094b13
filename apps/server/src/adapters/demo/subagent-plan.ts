import type { DemoConversation } from './demo-conversation.ts'
import { recogniseRequest } from './demo-request.ts'
import type { ToolMove } from './tool-plan.ts'

/** What the demo model has a subagent do, by what a person has asked for beside it; a subagent of the demo model follows it. */
const TASKS = {
  look: {
    subagent_type: 'explore',
    prompt: 'Look around in this folder. Which files are there, and how many lines do the first ones have?',
  },
  edit: {
    subagent_type: 'general',
    prompt: 'Edit a file: write a small poem, then change one line of it.',
  },
  slow: { subagent_type: 'general', prompt: 'Answer slowly, so that it can be watched.' },
} as const

/** Decides the next move of a demonstration of subagents: start one, then repeat its result. */
export function nextSubagentMove(
  { said, results }: DemoConversation,
  available: ReadonlySet<string>,
): ToolMove {
  if (!available.has('task')) return { say: NO_SUBAGENTS, call: null }
  const background = /\bbackground\b/i.test(said)
  const result = results.find(({ toolName }) => toolName === 'task')
  if (result === undefined) {
    const input = { ...TASKS[taskOf(said)], ...(background && { background }) }
    return { say: background ? START_IN_BACKGROUND : START, call: { toolName: 'task', input } }
  }
  if (result.failed) return { say: `${FAILED} ${result.text.split('\n')[0]}`, call: null }
  return { say: background ? STARTED : ended(result.text), call: null }
}

function taskOf(said: string): keyof typeof TASKS {
  const request = recogniseRequest(said.replaceAll(/\b(sub-?agents?|helpers?)\b/gi, ''))
  if (request === 'edit-file') return 'edit'
  return request === 'slow' ? 'slow' : 'look'
}

/** The text of a subagent, without the line that names its session. */
function ended(text: string): string {
  const result = text.replace(/\n+Session of the subagent: \S+\s*$/, '')
  return `The subagent is done. Its result, which is all that I was given of its work:

${result.replaceAll(/^/gm, '> ')}

Open its chat from the card above to read every step. It saw nothing of this conversation, and could do no more than I may.`
}

const START =
  'I give this to a subagent. Its work is in the card below while it goes on: unfold it, stop it, or open its chat.'
const START_IN_BACKGROUND =
  'I give this to a subagent in the background. I will not wait for it; its result comes into this chat later.'
const STARTED =
  'It works on its own now. You can go on talking with me: its result comes into this chat when neither of us is writing.'
const FAILED = 'The subagent has no result, and I go on without it. I was told:'
const NO_SUBAGENTS =
  'I would ask a subagent now, but this session gave me no way to. Start an ordinary chat and ask again.'
