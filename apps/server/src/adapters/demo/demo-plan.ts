import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { nextBudgetMove } from './budget-plan.ts'
import { condensedOf, wantsCondensed } from './demo-condensed.ts'
import { type DemoConversation, readConversation } from './demo-conversation.ts'
import { type DemoRequest, recogniseRequest } from './demo-request.ts'
import { summaryOf, wantsSummary } from './demo-summary.ts'
import { titleFor, wantsTitle } from './demo-title.ts'
import { nextEditMove } from './edit-plan.ts'
import { nextExploreMove } from './explore-plan.ts'
import { longReply } from './long-reply.ts'
import { nextQuestionMove } from './question-plan.ts'
import { SHOWCASE_REPLIES } from './showcase-replies.ts'
import { nextSubagentMove } from './subagent-plan.ts'
import { talkReply } from './talk-replies.ts'
import { thinkingReply } from './thinking-reply.ts'
import { type DemoToolCall, nextToolMove } from './tool-plan.ts'
import { tourReply } from './tour-reply.ts'

/** How fast words come: `fast` in bursts, `slow` for people who want to stop it. */
export type DemoPace = 'normal' | 'fast' | 'slow'

/** What the demo model does in one call. Empty texts are left out. */
export type DemoPlan =
  | { type: 'answer'; reasoning: string; text: string; call: DemoToolCall | null; pace: DemoPace }
  | { type: 'rate-limited'; answer: DemoPlan & { type: 'answer' } }
  | { type: 'broken' }

/** Decides, by the prompt alone, what the demo model does. */
export function planDemo({
  prompt,
  tools = [],
}: Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>): DemoPlan {
  const conversation = readConversation(prompt)
  if (wantsTitle(conversation.instructions, tools.length)) return say(titleFor(conversation.said))
  if (wantsSummary(conversation.instructions, conversation.said, tools.length)) {
    return say(summaryOf(conversation.said))
  }
  if (wantsCondensed(conversation.instructions, conversation.said, tools.length)) {
    return say(condensedOf(conversation.said))
  }
  return goOn(planAnswer(conversation, tools), conversation.written)
}

function planAnswer(
  conversation: DemoConversation,
  tools: NonNullable<LanguageModelV4CallOptions['tools']>,
): DemoPlan {
  const request = recogniseRequest(conversation.said)
  const names = new Set(tools.map((tool) => tool.name))
  // Once a tool has answered, what the person said has already been recognised as a wish for tools.
  const wish = conversation.results.length > 0 && !isOfTools(request) ? 'tools' : request
  if (!isOfTools(wish)) return planReply(wish, conversation)
  const { say: text, call } = TOOL_MOVES[wish](conversation, names)
  return { ...say(text), call }
}

/** Demonstrations of several steps, each with tools. */
const TOOL_MOVES = {
  subagent: nextSubagentMove,
  'look-around': nextExploreMove,
  'ask-me': nextQuestionMove,
  'edit-file': nextEditMove,
  budget: nextBudgetMove,
  tools: nextToolMove,
}

type ToolRequest = keyof typeof TOOL_MOVES

function isOfTools(request: DemoRequest): request is ToolRequest {
  return Object.hasOwn(TOOL_MOVES, request)
}

function planReply(request: Exclude<DemoRequest, ToolRequest>, conversation: DemoConversation): DemoPlan {
  switch (request) {
    case 'rate-limit':
      return { type: 'rate-limited', answer: say(SHOWCASE_REPLIES.afterLimit) }
    case 'fail':
      return { type: 'broken' }
    case 'slow':
      return { ...say(SHOWCASE_REPLIES.slow), pace: 'slow' }
    case 'think': {
      const { reasoning, answer } = thinkingReply(conversation)
      return { ...say(answer), reasoning }
    }
    case 'long':
      return { ...say(longReply()), pace: 'fast' }
    case 'queue':
      return { ...say(SHOWCASE_REPLIES.queue), pace: 'slow' }
    case 'diagram':
    case 'code':
    case 'table':
    case 'math':
      return say(`${FIXED}\n\n${SHOWCASE_REPLIES[request]}`)
    case 'help':
      return say(tourReply(conversation))
    case 'talk':
      return say(conversation.turn === 1 ? tourReply(conversation) : talkReply(conversation))
  }
}

/** The rest of an answer of which the beginning is there; the whole of one that began in other words. */
function goOn(plan: DemoPlan, written: string): DemoPlan {
  if (written === '' || plan.type !== 'answer' || !plan.text.startsWith(written)) return plan
  const rest = plan.text.slice(written.length).trimStart()
  return { ...plan, reasoning: '', text: rest === '' ? NOTHING_LEFT : rest }
}

const NOTHING_LEFT = 'There is nothing left to say.'
const FIXED = 'A fixed example, since I am only the demo model.'

function say(text: string): DemoPlan & { type: 'answer' } {
  return { type: 'answer', reasoning: '', text, call: null, pace: 'normal' }
}
