import type { BlobKeeper } from '../blob/blob-service.ts'
import { AppError } from '../domain/errors.ts'
import {
  becomesBlob,
  blobHash,
  blobPart,
  dataUrlContent,
  type FilePart,
  isInline,
} from '../domain/files/blob.ts'
import type { ChatPart } from '../domain/message/message.ts'
import { sha256 } from '../domain/values/sha256.ts'

/**
 * The parts of a message as they are stored: files above `LIMITS.inlineFileBytes` become blobs, and names of blobs get
 * their size. `INVALID_INPUT` of the part's field when a blob is not stored, or is not of the part's type.
 */
export async function admitFiles(
  parts: readonly ChatPart[],
  keeper: BlobKeeper,
  field = 'message.parts',
): Promise<ChatPart[]> {
  const admitted: ChatPart[] = []
  for (const [index, part] of parts.entries())
    admitted.push(part.type === 'file' ? await admitFile(part, keeper, `${field}.${index}`) : part)
  return admitted
}

async function admitFile(part: FilePart, keeper: BlobKeeper, field: string): Promise<FilePart> {
  if (becomesBlob(part)) return await keeper.keepInline(part)
  const hash = blobHash(part.url)
  if (hash === null) return part
  const blob = await keeper.get(hash)
  if (blob === null)
    throw new AppError('INVALID_INPUT', 'This file is not stored here. Upload it again.', {
      field: `${field}.url`,
    })
  const problem = await keeper.problemWith(blob, part.mediaType)
  if (problem !== null) throw new AppError('INVALID_INPUT', problem, { field: `${field}.mediaType` })
  return blobPart(part, blob)
}

/** Whether two lists of parts have the same content: a file with its bytes is the same as one that names their blob. */
export async function sameParts(stored: readonly ChatPart[], given: readonly ChatPart[]): Promise<boolean> {
  if (stored.length !== given.length) return false
  for (const [index, part] of stored.entries()) {
    const other = given[index]
    if (other === undefined || (await contentOf(part, other)) !== (await contentOf(other, part))) return false
  }
  return true
}

/** A part as text; bytes by their hash where the other part has only that. */
async function contentOf(part: ChatPart, other: ChatPart): Promise<string> {
  if (part.type !== 'file') return JSON.stringify(part)
  const byHash = other.type === 'file' && blobHash(other.url) !== null
  const bytes = byHash && isInline(part) ? dataUrlContent(part.url) : null
  const url = bytes === null ? (blobHash(part.url) ?? part.url) : await sha256(bytes)
  const { type, mediaType, filename } = part
  return JSON.stringify({ type, mediaType, filename, url })
}
