import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

type Part = LanguageModelV4StreamPart
type Fields = Record<string, unknown>

/** The part that a summary of Anthropic's is kept as; `content` and `signature` are its provider metadata. */
const COMPACTION = 'anthropic.compaction'

/**
 * A model of Anthropic's package with what the package leaves out: arguments of MCP calls that Anthropic makes itself,
 * which it takes for empty, the text with which a block begins, and summaries of earlier messages, which it returns as text of the reply.
 */
export function completeAnthropic(model: LanguageModelV4): LanguageModelV4 {
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    doGenerate: (options) => model.doGenerate({ ...options, prompt: withCompactions(options.prompt) }),
    async doStream(options) {
      const prompt = withCompactions(options.prompt)
      const answer = await model.doStream({ ...options, prompt, includeRawChunks: true })
      return { ...answer, stream: completed(answer.stream, options.includeRawChunks === true) }
    },
  }
}

function completed(stream: ReadableStream<Part>, rawWanted: boolean): ReadableStream<Part> {
  const calls = mcpCalls()
  const summaries = compactions()
  const texts = firstTexts()
  return expandStream(stream, (part) => {
    if (part.type !== 'raw') return calls.part(part).flatMap(texts.part).flatMap(summaries)
    texts.event(part.rawValue)
    const pieces = calls.event(part.rawValue)
    return rawWanted ? [part, ...pieces] : pieces
  })
}

/** The stream with each part replaced by any number of others. A `TransformStream` takes several times as long for each. */
function expandStream(stream: ReadableStream<Part>, expand: (part: Part) => Part[]): ReadableStream<Part> {
  const reader = stream.getReader()
  return new ReadableStream<Part>(
    {
      async pull(out) {
        let parts: Part[] = []
        // Without a part to enqueue, the stream would not be pulled again.
        while (parts.length === 0) {
          const { done, value } = await reader.read()
          if (done) return out.close()
          parts = expand(value)
        }
        for (const part of parts) out.enqueue(part)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

type ToolCall = Extract<Part, { type: 'tool-call' }>

/** Streams the arguments of MCP calls from the provider's own events, and gives each call once it has them. */
function mcpCalls() {
  const open = new Map<unknown, { id: unknown; call: ToolCall | null; input: string }>()

  return {
    event(raw: unknown): Part[] {
      const { type, index, content_block: block, delta } = fields(raw)
      if (type === 'content_block_start' && fields(block)['type'] === 'mcp_tool_use') {
        open.set(index, { id: fields(block)['id'], call: null, input: '' })
        return []
      }
      const entry = open.get(index)
      if (entry === undefined || entry.call === null) return []
      const { call } = entry
      const piece = fields(delta)['partial_json']
      if (type === 'content_block_delta' && typeof piece === 'string' && piece !== '') {
        entry.input += piece
        return [{ type: 'tool-input-delta', id: call.toolCallId, delta: piece }]
      }
      if (type !== 'content_block_stop') return []
      open.delete(index)
      return [
        { type: 'tool-input-end', id: call.toolCallId },
        entry.input === '' ? call : { ...call, input: entry.input },
      ]
    },
    part(part: Part): Part[] {
      if (part.type !== 'tool-call') return [part]
      const entry = open.values().find(({ id, call }) => call === null && id === part.toolCallId)
      if (entry === undefined) return [part]
      entry.call = part
      const { toolCallId, toolName, providerMetadata } = part
      const begun = {
        type: 'tool-input-start' as const,
        id: toolCallId,
        toolName,
        providerExecuted: true,
        dynamic: true,
      }
      return [{ ...begun, ...(providerMetadata && { providerMetadata }) }]
    },
  }
}

/** The text with which a block begins, which the package leaves out. */
function firstTexts() {
  let first = ''
  return {
    event(raw: unknown): void {
      const { type, content_block: block } = fields(raw)
      const { type: kind, text } = fields(block)
      first = type === 'content_block_start' && kind === 'text' && typeof text === 'string' ? text : ''
    },
    part(part: Part): Part[] {
      if (part.type !== 'text-start' || first === '') return [part]
      const delta = { type: 'text-delta' as const, id: part.id, delta: first }
      first = ''
      return [part, delta]
    },
  }
}

/** Gathers a summary and gives it as one part of its own kind. */
function compactions(): (part: Part) => Part[] {
  const open = new Map<string, { content: string; metadata: Fields }>()
  return (part) => {
    if (part.type === 'text-start') {
      const metadata = fields(part.providerMetadata?.['anthropic'])
      if (metadata['type'] !== 'compaction') return [part]
      open.set(part.id, { content: '', metadata })
      return []
    }
    if (part.type !== 'text-delta' && part.type !== 'text-end') return [part]
    const summary = open.get(part.id)
    if (summary === undefined) return [part]
    if (part.type === 'text-delta') {
      summary.content += part.delta
      return []
    }
    open.delete(part.id)
    const { content, metadata } = summary
    if (content.trim() === '') return []
    const signature = metadata['signature']
    const anthropic = { type: 'compaction', content, ...(typeof signature === 'string' && { signature }) }
    return [{ type: 'custom', kind: COMPACTION, providerMetadata: { anthropic } }]
  }
}

/** Summaries as the package takes them: as text that is marked as one. */
function withCompactions(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'assistant' || !message.content.some(({ type }) => type === 'custom')) return message
    return {
      ...message,
      content: message.content.map((part) => {
        if (part.type !== 'custom' || part.kind !== COMPACTION) return part
        const { content, ...anthropic } = part.providerOptions?.['anthropic'] ?? {}
        return typeof content === 'string'
          ? { type: 'text' as const, text: content, providerOptions: { anthropic } }
          : part
      }),
    }
  })
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
