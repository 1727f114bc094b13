import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, type LanguageModel, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { blobPart } from '../domain/files/blob.ts'
import type { ChatMessage, ChatPart } from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { toAiTools } from '../tool/ai-tools.ts'
import { readTool } from '../tool/read.ts'
import { familyOf, type ProviderFamily } from './provider-family.ts'
import { resolveFiles } from './resolve-files.ts'
import { toResultOutput, withFilesPlaced } from './result-output.ts'
import { toModelMessages } from './to-model-messages.ts'

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const BASE64 = Buffer.from(PNG).toString('base64')
const HASH = 'a'.repeat(64)
const picture = blobPart(
  { type: 'file', url: '', mediaType: 'image/png', filename: 'ink.png' },
  { hash: HASH, size: PNG.length },
)
const output = {
  type: 'output',
  text: 'ink.png is a picture.',
  files: [picture],
  metadata: { duration_ms: 1 },
}
const part: ChatPart = {
  type: 'tool-read',
  toolCallId: 'call_1',
  state: 'output-available',
  input: { path: 'ink.png' },
  output,
}
const conversation: ChatMessage[] = [
  { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Look at it' }] },
  { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, part] },
]
const info = (inputs: ModelInfo['inputs']) => ({ inputs }) as ModelInfo

async function lower(
  family: ProviderFamily,
  {
    inputs = ['text', 'image'],
    tools = toAiTools([readTool]),
    stored = true,
  }: { part?: ChatPart; inputs?: ModelInfo['inputs']; tools?: ToolSet; stored?: boolean } = {},
) {
  const readBlob = (hash: string) =>
    Promise.resolve(
      hash === HASH && stored
        ? (async function* () {
            yield PNG
          })()
        : null,
    )
  const resolved = await resolveFiles(conversation, { info: info(inputs), family, readBlob })
  const model = { providerId: 'lab', modelId: 'm1' }
  return (await toModelMessages(resolved, { model, info: info(inputs), family, tools })).messages
}

/** The body of the request that a provider package sends. */
async function bodyOf(create: (fetch: typeof globalThis.fetch) => LanguageModel): Promise<string> {
  let body = ''
  const fetch: typeof globalThis.fetch = (_, init) => {
    body = String(init?.body)
    return Promise.reject(new Error('sent'))
  }
  const model = create(fetch)
  if (typeof model === 'string') throw new Error('A model was expected.')
  const messages = await lower(familyOf(model))
  await generateText({ model, messages, maxRetries: 0 }).catch(() => null)
  return body
}

test.for<[string, (fetch: typeof globalThis.fetch) => LanguageModel, RegExp]>([
  [
    'Anthropic',
    (fetch) => createAnthropic({ apiKey: 'k', fetch })('claude-sonnet-4-5'),
    /"type":"tool_result".*"type":"image","source":\{"type":"base64","media_type":"image\/png","data":"iVBOR/,
  ],
  [
    'OpenAI Responses',
    (fetch) => createOpenAI({ apiKey: 'k', fetch }).responses('gpt-5'),
    /"type":"function_call_output".*"type":"input_image","image_url":"data:image\/png;base64,iVBOR/,
  ],
  [
    'Google',
    (fetch) => createGoogleGenerativeAI({ apiKey: 'k', fetch })('gemini-3-pro'),
    /"functionResponse".*"inlineData":\{"mimeType":"image\/png","data":"iVBOR/,
  ],
  [
    'OpenAI Chat',
    (fetch) => createOpenAI({ apiKey: 'k', fetch }).chat('gpt-4o'),
    /"role":"tool".*ink\.png is a picture.*"role":"user","content":\[.*"image_url":\{"url":"data:image\/png;base64,iVBOR/,
  ],
  [
    'a compatible server',
    (fetch) => createOpenAICompatible({ name: 'lab', baseURL: 'http://lab', fetch })('m1'),
    /"role":"tool".*ink\.png is a picture.*"role":"user","content":\[.*"image_url":\{"url":"data:image\/png;base64,iVBOR/,
  ],
])('TO-1 a picture in a result reaches %s as a picture, once', async ([, create, shape]) => {
  const body = await bodyOf(create)
  expect(body).toMatch(shape)
  expect(body.split(BASE64)).toHaveLength(2)
})

test.for<[string, Parameters<typeof lower>[1]]>([
  ['the model takes no pictures', { inputs: ['text'] }],
  ['it is no longer stored', { stored: false }],
])('TO-1 a picture in a result is named instead where %s', async ([, options]) => {
  for (const family of ['anthropic', 'compatible'] as const) {
    const sent = JSON.stringify(await lower(family, options))
    expect(sent).not.toContain(BASE64)
    expect(sent).not.toContain(HASH)
    expect(sent).toMatch(/ink\.png is a picture\.\\n\[(File|Attachment) ink\.png of type image\/png: /)
  }
})

test('TO-1 a picture stays one when the agent no longer has the tool that read it', async () => {
  const messages = await lower('anthropic', { tools: {} })
  expect(messages.at(-1)).toMatchObject({
    role: 'tool',
    content: [
      { output: { type: 'content', value: [{ type: 'text' }, { type: 'file', mediaType: 'image/png' }] } },
    ],
  })
})

test.for<[string, unknown]>([
  ['no list', { text: 'x', files: 'a' }],
  ['entries that are no files', { text: 'x', files: [null, 5, 'a', {}, { mediaType: 1, url: 2 }] }],
  ['a file elsewhere', { text: 'x', files: [{ mediaType: 'image/png', url: 'https://example.com/a.png' }] }],
])('TO-1 an imported result whose files are %s is its text', ([, odd]) => {
  expect(toResultOutput(odd)).toEqual({ type: 'text', value: 'x' })
})

test('TO-1 a message without results with files is placed as it is', () => {
  const messages = [{ role: 'user' as const, content: 'Hello' }]
  expect(withFilesPlaced(messages, 'compatible')).toEqual(messages)
})
