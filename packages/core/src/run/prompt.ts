import type { ModelMessage, ToolSet } from 'ai'
import { type ModelView, withStubs } from '../context/model-view.ts'
import { sparedCharacters } from '../context/pruned-output.ts'
import { toModelMessages } from '../context/to-model-messages.ts'
import { type ChatMessage, isToolPart } from '../domain/message.ts'
import { assemblePrompt } from '../prompt/assemble.ts'
import type { StepRequest } from './model-step.ts'
import { type Reminder, toReminder } from './reminder.ts'
import type { Room, Run } from './run-types.ts'

/** What a run says to its model: the same conversation from step to step, but for what compactions take out of it. */
export type Prompt = {
  /** Goes on with what is left of the conversation after room has been made. */
  take(room: Room): void
  request(reply: ChatMessage | null, reminders: readonly Reminder[]): Promise<StepRequest>
  /** The system prompt. */
  readonly instructions: string
  /** What the model sees of the conversation before the reply. */
  readonly view: ModelView
  /** Characters of pruned outputs that are left out of the conversation and of this reply. */
  pruned(reply: ChatMessage): number
}

export function createPrompt(run: Run, tools: ToolSet): Prompt {
  const { agent, environment, model, open } = run
  const instructions = assemblePrompt({ manifest: agent.prompt, environment, tools: agent.tools })
  let view = run.view
  let stubs: ReadonlySet<string> = new Set()
  let lowered: Promise<ModelMessage[]> | null = null

  const lower = (messages: readonly ChatMessage[]) =>
    toModelMessages(messages, { model, info: open.info, tools })

  return {
    instructions,
    take(room) {
      if (room.type !== 'changed') return
      view = room.view
      stubs = room.stubs
      lowered = null
    },
    async request(reply, reminders) {
      lowered ??= lower(view.messages)
      const messages = [
        ...(await lowered),
        ...(reply === null ? [] : await lower([withStubs(reply, stubs)])),
        ...reminders.map(toReminder),
      ]
      return { open, instructions, messages, tools }
    },
    get view() {
      return view
    },
    pruned({ parts }) {
      const left = parts.filter((part) => isToolPart(part) && stubs.has(part.toolCallId))
      return left.reduce(
        (sum, part) => sum + ('output' in part ? sparedCharacters(part.output) : 0),
        view.pruned,
      )
    },
  }
}
