import type { ModelMessage, ToolResultPart, ToolSet, UserModelMessage } from 'ai'
import { tool } from 'ai'
import { z } from 'zod'
import { isInline } from '../domain/files/blob.ts'
import { outputFiles } from '../domain/files/output-files.ts'
import type { ChatMessage } from '../domain/message/message.ts'
import { type CallPart, toolNameOf } from './hosted-calls.ts'
import { completedOutput } from './model-view.ts'
import { outputText } from './output-text.ts'
import type { ProviderFamily } from './provider-family.ts'

type ResultOutput = ToolResultPart['output']
type ContentItem = Extract<ResultOutput, { type: 'content' }>['value'][number]
type FileItem = Extract<ContentItem, { type: 'file' }>

/** APIs whose results hold files. The others read base64 in a result as text. */
const FILES_IN_RESULTS: ReadonlySet<ProviderFamily> = new Set(['anthropic', 'openai-responses', 'google'])

/** A result of one of our tools for a provider package: its text, and the files that are in data URLs. */
export function toResultOutput(output: unknown): ResultOutput {
  const text = outputText(output)
  const files = outputFiles(output).filter(isInline)
  if (files.length === 0) return { type: 'text', value: text }
  const items = files.map(({ mediaType, url, filename }): FileItem => {
    const data = url.slice(url.indexOf(',') + 1)
    return {
      type: 'file',
      mediaType,
      data: { type: 'data', data },
      ...(filename !== undefined && { filename }),
    }
  })
  return { type: 'content', value: [{ type: 'text', text }, ...items] }
}

/** Lowers results with files of tools that the agent no longer has, whose output would be sent as JSON. */
const formerTool = tool({
  inputSchema: z.unknown(),
  outputSchema: z.unknown(),
  toModelOutput: ({ output }) => toResultOutput(output),
})

/** The tools, and for each result with files in this message whose tool is not among them one that lowers it. */
export function withFormerTools({ parts }: ChatMessage, tools: ToolSet): ToolSet {
  const former = parts
    .filter((part) => outputFiles(completedOutput(part)).length > 0)
    .map((part) => toolNameOf(part as CallPart))
    .filter((name) => !Object.hasOwn(tools, name))
  return former.length === 0
    ? tools
    : { ...tools, ...Object.fromEntries(former.map((name) => [name, formerTool])) }
}

/** Moves files out of results where the API takes none there: into a message of the user right after them. */
export function withFilesPlaced(messages: readonly ModelMessage[], family: ProviderFamily): ModelMessage[] {
  if (FILES_IN_RESULTS.has(family)) return [...messages]
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'tool') return [message]
    const files: UserModelMessage['content'] = []
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result' || part.output.type !== 'content') return part
      const items = part.output.value.filter((item) => item.type === 'file')
      const text = part.output.value.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
      files.push({ type: 'text', text: `[From the result of ${part.toolName}:]` }, ...items.map(toFilePart))
      const value = `${text}\n[It is in the message after this result.]`
      return { ...part, output: { type: 'text' as const, value } }
    })
    const placed: ModelMessage = { ...message, content }
    return files.length === 0 ? [placed] : [placed, { role: 'user', content: files }]
  })
}

function toFilePart({ mediaType, data, filename }: FileItem) {
  return { type: 'file' as const, mediaType, data, ...(filename !== undefined && { filename }) }
}
