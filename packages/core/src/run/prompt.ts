import type { ModelMessage, ToolSet } from 'ai'
import { toModelMessages } from '../context/to-model-messages.ts'
import type { ChatMessage } from '../domain/message.ts'
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
  readonly history: readonly ChatMessage[]
}

export function createPrompt(run: Run, tools: ToolSet): Prompt {
  const { agent, environment, model, open } = run
  const instructions = assemblePrompt({ manifest: agent.prompt, environment, tools: agent.tools })
  let history = run.history
  let lowered: Promise<ModelMessage[]> | null = null

  const lower = (messages: readonly ChatMessage[]) =>
    toModelMessages(messages, { model, info: open.info, tools })

  return {
    instructions,
    take(room) {
      if (room.type !== 'changed') return
      history = room.history
      lowered = null
    },
    async request(reply, reminders) {
      lowered ??= lower(history)
      const messages = [
        ...(await lowered),
        ...(reply === null ? [] : await lower([reply])),
        ...reminders.map(toReminder),
      ]
      return { open, instructions, messages, tools }
    },
    get history() {
      return history
    },
  }
}
