import { blobHash } from '../files/blob.ts'
import { isObject } from '../json/stored-keys.ts'
import { IMPORT_LIMITS, LIMITS } from '../limits.ts'
import {
  anything,
  type Check,
  exactly,
  type Fields,
  flag,
  integer,
  listOf,
  must,
  object,
  oneOf,
  recordOf,
  text,
} from './check.ts'

const words = text(IMPORT_LIMITS.textCharacters)
const anObject = must('an object', isObject)
const providerMetadata = recordOf(anObject)
const state = oneOf(['streaming', 'done'])

const textPart = object({ text: words }, { state, providerMetadata, citations: listOf(anObject) })
const reasoningPart = object({ text: words }, { id: words, state, providerMetadata })
const filePart = object(
  { mediaType: words, url: words },
  { filename: words, providerMetadata, providerReference: recordOf(words) },
)

const toolFields: Fields = {
  toolCallId: words,
  state: oneOf([
    'input-streaming',
    'input-available',
    'approval-requested',
    'approval-responded',
    'output-available',
    'output-error',
    'output-denied',
  ]),
}
const toolOptions: Fields = {
  title: words,
  toolMetadata: anObject,
  providerExecuted: flag,
  preliminary: flag,
  inputEncoding: oneOf(['json', 'text']),
  callProviderMetadata: providerMetadata,
  resultProviderMetadata: providerMetadata,
  errorText: words,
  approval: object({ id: words }, { approved: flag, reason: words, requestReason: words, isAutomatic: flag }),
}
const toolPart = object(toolFields, toolOptions)

const carried = listOf(object({ name: text(64), text: text(200_000) }), 100)

const PARTS: ReadonlyMap<string, Check> = new Map([
  ['text', textPart],
  ['reasoning', reasoningPart],
  ['file', filePart],
  ['reasoning-file', object({ mediaType: words, url: words }, { providerMetadata })],
  ['source-url', object({ sourceId: words, url: words }, { title: words, providerMetadata })],
  [
    'source-document',
    object({ sourceId: words, mediaType: words }, { title: words, filename: words, providerMetadata }),
  ],
  ['step-start', object({})],
  ['custom', object({}, { kind: words, providerMetadata })],
  ['steering-message', steering()],
  ['dynamic-tool', object({ ...toolFields, toolName: words }, toolOptions)],
  [
    'data-compaction',
    object({ data: object({ summary: words }, { tail_start_id: words, skills: carried }) }),
  ],
])
const dataPart = object({}, { id: words, data: anything })

/** The check of parts of a type; undefined for a type that is unknown. */
export function partCheck(type: string): Check | undefined {
  const known = PARTS.get(type)
  if (known !== undefined) return known
  if (type.length > 5 && type.startsWith('tool-')) return toolPart
  return type.length > 5 && type.startsWith('data-') ? dataPart : undefined
}

/** The bytes of a blob, as `blobPart` notes them. */
const blobFacts = exactly({
  palimpsest: exactly({ bytes: integer(0, IMPORT_LIMITS.tokensPerSession) }),
})

/** A user's text, or a file with its bytes inline or in a blob: any other URL would be fetched at the model call. */
const USER_PARTS: ReadonlyMap<unknown, Check> = new Map([
  ['text', exactly({ type: anything, text: words }, { state })],
  [
    'file',
    exactly(
      { type: anything, mediaType: text(255, 1), url: fileUrl() },
      { filename: text(1024), providerMetadata: blobFacts },
    ),
  ],
])

/** A part of what a person sent. */
export const userPart: Check = (value) => {
  const check = isObject(value) ? USER_PARTS.get(value['type']) : undefined
  return check === undefined ? ' must be a text or a file in a message of role user' : check(value)
}

function fileUrl(): Check {
  return must(
    `a data: URL of at most ${LIMITS.fileCharacters} characters`,
    (value) =>
      typeof value === 'string' &&
      (blobHash(value) !== null || (value.startsWith('data:') && value.length <= LIMITS.fileCharacters)),
  )
}

function steering(): Check {
  return object({ id: text(128, 1), parts: listOf((part) => userPart(part), LIMITS.partsPerMessage) })
}
