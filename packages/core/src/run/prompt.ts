import type { ModelMessage, ToolSet } from 'ai'
import {
  type LeftOut,
  leftOutOfReply,
  type ModelView,
  NOTHING_LEFT_OUT,
  replyAsSeen,
} from '../context/model-view.ts'
import { toModelMessages } from '../context/to-model-messages.ts'
import { type CondensedOutputs, formsInUse } from '../domain/condensed-output.ts'
import type { ChatMessage } from '../domain/message.ts'
import type { ModelRef } from '../domain/model.ts'
import type { Capacity } from '../history/compaction/context-window-manager.ts'
import type { OpenModel } from '../ports/index.ts'
import { assemblePrompt, type Environment } from '../prompt/assemble.ts'
import type { Agent } from './agent.ts'
import type { StepRequest } from './model-step.ts'
import { type Reminder, toReminder } from './reminder.ts'

/** What a run says to its model: the same conversation from step to step, but for what compactions take out of it. */
export type Prompt = {
  /** Goes on with what is left of the conversation after a pruning or a compaction. */
  apply(capacity: Capacity): void
  request(reply: ChatMessage | null, reminders: readonly Reminder[]): Promise<StepRequest>
  /** The system prompt. */
  readonly instructions: string
  /** What the model sees of the conversation before the reply. */
  readonly view: ModelView
  /** What the next request would leave out, with the reply as it stands. */
  leftOut(reply: ChatMessage): LeftOut
  /** What the last request left out, and how many condensed forms of the reply were in use. */
  readonly asked: LeftOut & { ownForms: number }
  /** The reply of the last request with what has come since. */
  asAsked(reply: ChatMessage): ChatMessage
}

type PromptRun = {
  agent: Agent
  model: ModelRef
  open: OpenModel
  view: ModelView
  environment: Environment
}

export function createPrompt(run: PromptRun, tools: ToolSet): Prompt {
  const { agent, environment, model, open } = run
  const instructions = assemblePrompt({ manifest: agent.prompt, environment, tools: agent.tools })
  let view = run.view
  let stubs: ReadonlySet<string> = new Set()
  let lowered: Promise<ModelMessage[]> | null = null
  let asked = { ...NOTHING_LEFT_OUT, ownForms: 0 }
  let condensed: CondensedOutputs | undefined

  const lower = (messages: readonly ChatMessage[]) =>
    toModelMessages(messages, { model, info: open.info, tools })

  function leftOut(reply: ChatMessage | null): LeftOut {
    const ofReply = reply === null ? NOTHING_LEFT_OUT : leftOutOfReply(reply, stubs)
    return { pruned: view.pruned + ofReply.pruned, condensed: view.condensed + ofReply.condensed }
  }

  return {
    instructions,
    apply(capacity) {
      if (capacity.type !== 'changed') return
      view = capacity.view
      stubs = capacity.stubs
      lowered = null
    },
    async request(reply, reminders) {
      condensed = reply?.metadata?.condensed
      asked = { ...leftOut(reply), ownForms: formsInUse(condensed) }
      lowered ??= lower(view.messages)
      const messages = [
        ...(await lowered),
        ...(reply === null ? [] : await lower([replyAsSeen(reply, condensed, stubs)])),
        ...reminders.map(toReminder),
      ]
      return { open, instructions, messages, tools }
    },
    get view() {
      return view
    },
    leftOut,
    get asked() {
      return asked
    },
    asAsked: (reply) => replyAsSeen(reply, condensed, stubs),
  }
}
