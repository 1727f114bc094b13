import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import type { LanguageModelUsage, ModelMessage, SystemModelMessage, ToolSet, TypedToolCall } from 'ai'
import {
  asLanguageModelUsage,
  convertToLanguageModelPrompt,
  createDefaultDownloadFunction,
  createNullLanguageModelUsage,
  parseToolCall,
  standardizePrompt,
} from 'ai/internal'
import { encodeBase64 } from '../../domain/values/base64.ts'
import type { Clock, OpenModel } from '../../ports/index.ts'
import { toDefinitions } from '../../tool/ai-tools.ts'
import type { Tool } from '../../tool/tool.ts'

// The one file that imports internals of the AI SDK. Any release may change them: its version is pinned.

type FileData = Extract<LanguageModelV4StreamPart, { type: 'file' }>['data']
type Usage = Extract<LanguageModelV4StreamPart, { type: 'finish' }>['usage']

export type StepRequest = {
  open: OpenModel
  instructions: string | SystemModelMessage[]
  messages: ModelMessage[]
  tools: readonly Tool[]
  /** Tools that the request does not list, of which a call is accepted all the same. */
  unlisted: readonly Tool[]
  /** True when the messages hold what only the provider's own package can write, and could go without it. */
  canSimplify: boolean
  /** Null for none. */
  maxOutputTokens: number | null
}

/** True for a request of so many messages that other work has a turn before it is converted, and again before it is written. */
export function isLongPrompt(messages: readonly unknown[]): boolean {
  return messages.length > 250
}

/** The request as a provider's package takes it. */
export async function toCallOptions(
  { open: { model, providerOptions }, instructions, messages, tools, maxOutputTokens }: StepRequest,
  { clock, signal }: { clock: Pick<Clock, 'turn'>; signal: AbortSignal },
): Promise<LanguageModelV4CallOptions> {
  const prompt = await convertToLanguageModelPrompt({
    prompt: await standardizePrompt({ instructions, messages }),
    supportedUrls: await model.supportedUrls,
    download: undefined,
    abortSignal: signal,
    provider: model.provider.split('.', 1)[0] ?? model.provider,
  })
  // The package of a provider writes the whole request at once.
  if (isLongPrompt(prompt)) await clock.turn()
  return {
    prompt,
    ...(maxOutputTokens !== null && { maxOutputTokens }),
    ...(tools.length > 0 && { tools: toDefinitions(tools), toolChoice: { type: 'auto' } }),
    providerOptions,
    abortSignal: signal,
    // A raw part for each event also counts those of which the provider's package makes nothing.
    includeRawChunks: true,
  }
}

/** The call with its arguments parsed and validated; `invalid` when they are wrong, or when no tool has its name. */
export async function parseCall(
  toolCall: LanguageModelV4ToolCall,
  tools: ToolSet,
): Promise<TypedToolCall<ToolSet>> {
  const noRepair = { repairToolCall: undefined, instructions: undefined, messages: [] }
  return await parseToolCall({ toolCall, tools, ...noRepair })
}

/** Token counts; all unknown where the provider counted nothing. */
export function toUsage(usage: Usage | null): LanguageModelUsage {
  return usage === null ? createNullLanguageModelUsage() : asLanguageModelUsage(usage)
}

/** A file of an answer in base64; one of which the provider sends only the address is fetched. */
export async function base64Of(data: FileData, signal: AbortSignal): Promise<string> {
  if (data.type === 'data') return typeof data.data === 'string' ? data.data : encodeBase64(data.data)
  const download = createDefaultDownloadFunction(undefined, signal)
  const [file] = await download([{ url: data.url, isUrlSupportedByModel: false, abortSignal: signal }])
  if (!file) throw new Error('A file of the answer could not be fetched')
  return encodeBase64(file.data)
}
