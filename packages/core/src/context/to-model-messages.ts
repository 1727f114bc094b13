import { convertToModelMessages, type ModelMessage, type ToolSet } from 'ai'
import type { Pace } from '../domain/async/pace.ts'
import { type ChatMessage, type ChatPart, isToolPart } from '../domain/message/message.ts'
import { callId, callName } from './call-names.ts'
import { type CallPart, parseObject, toolNameOf } from './hosted-calls.ts'
import { markHosted, unmarkHosted } from './hosted-names.ts'
import { isSameModel, type PromptTarget, prepareMessage } from './prepare-message.ts'
import { withFilesPlaced, withFormerTools } from './result-output.ts'

export type LoweringTarget = PromptTarget & {
  tools: ToolSet
  /** Called with the message of each part that the AI SDK can't lower and that is therefore left out. */
  onLeftOut?(messageId: string, error: unknown): void
}

/** Messages for a provider package, and the ids of the calls in them. */
export type Lowered = { messages: ModelMessage[]; callIds: ReadonlySet<string> }

export const NOTHING_LOWERED: Lowered = { messages: [], callIds: new Set() }

/**
 * Lowers visible messages, in order, to what the provider packages take; `before` is what goes ahead of them in the same
 * request. A part that can't be lowered is left out rather than ending the conversation. `pending`: see `prepareMessage`.
 * `pace` is called before each message.
 */
export async function toModelMessages(
  messages: readonly ChatMessage[],
  target: LoweringTarget,
  {
    before = NOTHING_LOWERED,
    pending = false,
    pace,
  }: { before?: Lowered; pending?: boolean; pace?: Pace } = {},
): Promise<Lowered> {
  const callIds = new Set(before.callIds)
  const lowered: ModelMessage[] = []
  for (const message of messages) {
    await pace?.()
    const { parts, ...rest } = prepareMessage(message, target, pending)
    const own = isSameModel(rest.metadata?.model, target.model)
    const prepared = parts.map((part) => (isToolPart(part) ? renamed(part, own) : part))
    for (const made of await lower({ ...rest, parts: prepared }, target)) lowered.push(made)
  }
  return { messages: lowered, callIds }

  function renamed(part: CallPart, own: boolean): ChatPart {
    if (part.providerExecuted === true) {
      callIds.add(part.toolCallId)
      return withName(part, markHosted(toolNameOf(part)))
    }
    const toolCallId = callId(part.toolCallId, target.family, own, callIds)
    return { ...withName(part, callName(toolNameOf(part))), toolCallId }
  }
}

function withName(part: CallPart, name: string): CallPart {
  const type = part.type === 'dynamic-tool' ? { toolName: name } : { type: `tool-${name}` }
  return { ...part, ...type } as CallPart
}

async function lower(
  message: ChatMessage,
  { tools: own, family, onLeftOut }: LoweringTarget,
): Promise<ModelMessage[]> {
  const tools = withFormerTools(message, own)
  const convert = (parts: ChatPart[]) => convertToModelMessages([{ ...message, parts }], { tools })
  const lowered = await convert(message.parts).catch(async (error: unknown) => {
    const checked = await Promise.all(
      message.parts.map((part) =>
        convert([part]).then(
          () => [part],
          () => [],
        ),
      ),
    )
    onLeftOut?.(message.id, error)
    return await convert(checked.flat())
  })
  const sound = lowered.filter(({ content }) => content.length > 0).map(withSoundResults)
  return withFilesPlaced(sound, family)
}

const NO_OUTPUT = '(no output)'

/** Results as APIs take them: not blank, and a failure that a provider reported in JSON as that JSON. */
function withSoundResults(message: ModelMessage): ModelMessage {
  if (message.role === 'tool') {
    return { ...message, content: message.content.map(soundResult) }
  }
  if (message.role !== 'assistant' || typeof message.content === 'string') return message
  return { ...message, content: message.content.map((part) => soundResult(withOwnName(part))) }
}

type Content = Exclude<Extract<ModelMessage, { role: 'tool' | 'assistant' }>['content'], string>[number]

/** The hosted calls of a reply, and their results, under the names that their provider gave them. */
function withOwnName<Part extends Content>(part: Part): Part {
  const named = part.type === 'tool-call' || part.type === 'tool-result'
  return named ? { ...part, toolName: unmarkHosted(part.toolName) } : part
}

function soundResult<Part extends Content>(part: Part): Part {
  if (part.type !== 'tool-result') return part
  const { output } = part
  if ((output.type === 'text' || output.type === 'error-text') && output.value.trim() === '')
    return { ...part, output: { ...output, value: NO_OUTPUT } }
  if (output.type !== 'error-json' || typeof output.value !== 'string') return part
  const reported = parseObject(output.value)
  return reported === null ? part : { ...part, output: { ...output, value: reported } }
}
