import type { Pace } from '../domain/async/pace.ts'
import { blobHash, dataUrlContent, type FilePart, fileBytes, isInline } from '../domain/files/blob.ts'
import { inputKind, isTextType } from '../domain/files/media-type.ts'
import { outputFiles } from '../domain/files/output-files.ts'
import { LIMITS } from '../domain/limits.ts'
import { type ChatMessage, type ChatPart, isToolPart } from '../domain/message/message.ts'
import type { ModelInfo } from '../domain/model/model.ts'
import { toBase64 } from '../domain/values/base64.ts'
import { completedOutput } from './model-view.ts'
import { outputText } from './output-text.ts'
import type { ProviderFamily } from './provider-family.ts'

/** Reads the content of a blob; null when there is none. */
export type ReadBlob = (hash: string) => Promise<AsyncIterable<Uint8Array> | null>

type FileTarget = { info: Pick<ModelInfo, 'inputs'>; family: ProviderFamily; readBlob: ReadBlob }
type TextOrFile = Extract<ChatPart, { type: 'text' | 'file' }>

/** Bytes of the largest picture that a family of providers takes; others take what a blob may have. */
const PICTURE_BYTES: ReadonlyMap<ProviderFamily, number> = new Map([['anthropic', 3_900_000]])

/**
 * The messages with the files of users and of results as a request carries them: text as text, up to `LIMITS.attachedCharacters` of
 * each file, other blobs as data URLs, up to `LIMITS.requestFileBytes` of all, the latest first. Files that are too large
 * or no longer stored are named instead; those of a kind that the model does not take stay as they are. `pace` is called before
 * each message.
 */
export async function resolveFiles(
  messages: readonly ChatMessage[],
  target: FileTarget,
  pace?: Pace,
): Promise<ChatMessage[]> {
  const budget = { left: LIMITS.requestFileBytes }
  const resolved: ChatMessage[] = []
  for (const message of messages.toReversed()) {
    await pace?.()
    const parts: ChatPart[] = []
    for (const part of message.parts.toReversed())
      parts.push(await resolvePart(part, message.role, target, budget))
    resolved.push({ ...message, parts: parts.reverse() })
  }
  return resolved.reverse()
}

async function resolvePart(
  part: ChatPart,
  role: ChatMessage['role'],
  target: FileTarget,
  budget: { left: number },
): Promise<ChatPart> {
  if (isToolPart(part)) return await resolveOutput(part, target, budget)
  if (part.type === 'file' && role === 'user') return await resolve(part, target, budget)
  if (part.type !== 'steering-message') return part
  const words: TextOrFile[] = []
  for (const word of part.parts) words.push(await resolve(word, target, budget))
  return { ...part, parts: words }
}

/** A call with the files of its output in data URLs. A file that the model does not get is named in its text instead. */
async function resolveOutput(
  part: ChatPart,
  target: FileTarget,
  budget: { left: number },
): Promise<ChatPart> {
  const output = completedOutput(part)
  const files = outputFiles(output)
  if (files.length === 0) return part
  const resolved: TextOrFile[] = []
  for (const file of files) resolved.push(await resolve(file, target, budget))
  const words = resolved.flatMap((file) => {
    if (file.type === 'text') return [file.text]
    return isInline(file)
      ? []
      : [`[File ${file.filename ?? ''} of type ${file.mediaType}: this model can't read it]`]
  })
  const inline = resolved.filter((file) => file.type === 'file').filter(isInline)
  // Only the output changes, which every state of a completed call has.
  return { ...part, output: { text: [outputText(output), ...words].join('\n'), files: inline } } as ChatPart
}

async function resolve(
  part: TextOrFile,
  { info, family, readBlob }: FileTarget,
  budget: { left: number },
): Promise<TextOrFile> {
  if (part.type === 'text') return part
  if (isTextType(part.mediaType)) return await asText(part, readBlob)
  const { providerMetadata: _, ...bare } = part
  const kind = inputKind(part.mediaType)
  // Lowering names a file of a kind that the model does not take.
  if (kind === null || !info.inputs.includes(kind)) return bare
  const most = kind === 'image' ? (PICTURE_BYTES.get(family) ?? LIMITS.blobBytes) : LIMITS.blobBytes
  const hash = blobHash(part.url)
  if (hash === null) {
    const bytes = fileBytes(part) ?? 0
    if (bytes > Math.min(most, budget.left)) return leftOut(part, TOO_LARGE)
    budget.left -= bytes
    return bare
  }
  const content = await readBlob(hash)
  if (content === null) return leftOut(part, NOT_STORED)
  const file = await toBase64(content, Math.min(most, budget.left))
  if (file === null) return leftOut(part, TOO_LARGE)
  budget.left -= file.bytes
  return { ...bare, url: `data:${part.mediaType};base64,${file.base64}` }
}

const TOO_LARGE = 'it is too large for this request'
const NOT_STORED = 'it is no longer stored'

function leftOut({ filename = '', mediaType }: FilePart, why: string): TextOrFile {
  return { type: 'text', text: `[Attachment ${filename} of type ${mediaType}: ${why}]` }
}

/** A text file as the model reads it. */
async function asText(part: FilePart, readBlob: ReadBlob): Promise<TextOrFile> {
  const hash = blobHash(part.url)
  const inline = hash === null ? dataUrlContent(part.url) : null
  const content = hash === null ? (inline === null ? null : only(inline)) : await readBlob(hash)
  if (content === null) return leftOut(part, NOT_STORED)
  const { text, whole } = await firstCharacters(content, LIMITS.attachedCharacters)
  const name = (part.filename ?? 'unnamed').replaceAll(/[<>"\n]/g, ' ')
  const rest = whole ? '' : `\n[Only the first ${LIMITS.attachedCharacters} characters are shown.]`
  return { type: 'text', text: `<attachment name="${name}">\n${text}${rest}\n</attachment>` }
}

async function firstCharacters(content: AsyncIterable<Uint8Array>, most: number) {
  let decoder: TextDecoder | null = null
  let text = ''
  for await (const chunk of content) {
    decoder ??= new TextDecoder(encodingOf(chunk))
    text += decoder.decode(chunk, { stream: true })
    if (text.length > most) return { text: text.slice(0, most).toWellFormed(), whole: false }
  }
  return { text: text + (decoder?.decode() ?? ''), whole: true }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
