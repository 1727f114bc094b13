import { z } from 'zod'
import { userPart } from '../domain/checks/part-data.ts'
import { AppError } from '../domain/errors.ts'
import { blobHash } from '../domain/files/blob.ts'
import { CLIENT_ID_PATTERN } from '../domain/ids.ts'
import { isNestedBeyond } from '../domain/json/nesting.ts'
import { isObject, SESSION_METADATA_KEYS } from '../domain/json/stored-keys.ts'
import { IMPORT_LIMITS, LIMITS } from '../domain/limits.ts'
import type { ChatPart } from '../domain/message/message.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { Session, SessionMetadata } from '../domain/session/session.ts'
import type { Models } from '../ports/index.ts'
import { compactionSettingsSchema } from './plan/compaction-config.ts'

/** A user message's parts, or `INVALID_INPUT` with the field at fault. */
export function checkParts(parts: readonly ChatPart[], field = 'message.parts'): void {
  if (parts.length === 0) throw invalid(field, 'A message needs at least one part.')
  if (parts.length > LIMITS.partsPerMessage)
    throw invalid(field, `A message takes at most ${LIMITS.partsPerMessage} parts.`)
  for (const [index, part] of parts.entries()) checkPart(part, `${field}.${index}`)
  const files = parts.filter((part) => part.type === 'file').length
  if (files > LIMITS.filesPerMessage)
    throw invalid(field, `A message takes at most ${LIMITS.filesPerMessage} files.`)
  const text = parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0)
  if (text > LIMITS.messageCharacters)
    throw invalid(field, `A message takes at most ${LIMITS.messageCharacters} characters.`)
  if (files === 0 && parts.every((part) => part.type !== 'text' || part.text.trim() === '')) {
    throw invalid(field, 'A message needs some text or a file.')
  }
}

function checkPart(part: ChatPart, field: string) {
  if (part.type !== 'text' && part.type !== 'file')
    throw invalid(`${field}.type`, 'A user message takes text and files only.')
  if (part.type === 'file') checkUrl(part.url, `${field}.url`)
  const problem = userPart(part)
  if (problem === null) return
  const [, key = '', flaw = ''] = /^(\S*) (.*)$/s.exec(problem) ?? []
  throw invalid(`${field}${key}`, `A part of this message ${flaw}.`)
}

function checkUrl(url: unknown, field: string) {
  if (typeof url === 'string' && blobHash(url) !== null) return
  if (typeof url !== 'string' || !url.startsWith('data:'))
    throw invalid(field, 'A file is sent as a data: URL, or as the path of an upload.')
  if (url.length > LIMITS.fileCharacters)
    throw invalid(field, 'A file in a message has at most 1 MB. Upload larger ones.')
}

/** Keys of a session's metadata that only the server sets, as they are read and as they are stored. */
const OWN_KEYS: ReadonlySet<string> = new Set(Object.entries(SESSION_METADATA_KEYS).flat().map(String))

/** An archived session takes nothing new. */
export function checkOpen({ archivedAt }: Session): void {
  if (archivedAt === null) return
  throw new AppError('SESSION_ARCHIVED', 'The session is archived. Unarchive it to continue.')
}

export function checkId(id: string, field: string): void {
  if (!CLIENT_ID_PATTERN.test(id)) throw invalid(field, 'An id has 1 to 128 letters, digits, "_" or "-".')
}

/** The title without surrounding space, 1 to 200 characters. */
export function checkTitle(title: string): string {
  const trimmed = title.trim()
  if (trimmed === '') throw invalid('title', 'A title needs at least one character.')
  if (trimmed.length > LIMITS.titleCharacters)
    throw invalid('title', `A title has at most ${LIMITS.titleCharacters} characters.`)
  return trimmed
}

/** A caller's metadata: a small object without the keys that the server keeps there under any of their names. */
export function checkMetadata(metadata: SessionMetadata): void {
  const { metadataNesting } = IMPORT_LIMITS
  if (!isObject(metadata) || isNestedBeyond(metadata, metadataNesting))
    throw invalid('metadata', `Metadata is a JSON object, nested at most ${metadataNesting} times.`)
  const own = Object.keys(metadata).find((key) => OWN_KEYS.has(key))
  if (own !== undefined) throw invalid(`metadata.${own}`, `${own} is set by the server.`)
  if (metadata.ephemeral !== undefined && metadata.ephemeral !== true)
    throw invalid('metadata.ephemeral', 'ephemeral takes true.')
  if (JSON.stringify(metadata).length > LIMITS.metadataCharacters)
    throw invalid('metadata', `Metadata has at most ${LIMITS.metadataCharacters} characters as JSON.`)
  const compaction = compactionSettingsSchema.optional().safeParse(metadata.compaction)
  if (!compaction.success) throw invalid('metadata.compaction', z.prettifyError(compaction.error))
}

/** `MODEL_NOT_FOUND` for a model that no provider offers. */
export async function checkModel(model: ModelRef, models: Models): Promise<void> {
  if ((await models.find(model)) !== null) return
  const message = `No provider offers the model ${model.providerId}/${model.modelId}.`
  throw new AppError('MODEL_NOT_FOUND', message, { field: 'model' })
}

/** The page size asked for, or the default. */
export function checkLimit(limit: number | undefined): number {
  if (limit === undefined) return LIMITS.defaultPageSize
  if (!Number.isInteger(limit) || limit < 1 || limit > LIMITS.pageSize) {
    throw invalid('limit', `A page has 1 to ${LIMITS.pageSize} items.`)
  }
  return limit
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field })
}
