import type { FilePart } from '../../domain/files/blob.ts'
import { contentProblem, pictureType, SIGNATURE_BYTES } from '../../domain/files/content-check.ts'
import { mediaTypeOf } from '../../domain/files/media-type.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { McpFile } from '../../ports/index.ts'
import type { ToolResult, ToolRuntime } from '../tool.ts'
import { plainLine } from './plain-line.ts'

/** Characters of a file's name. */
const NAME = 100

/**
 * Stores the files of a server's result, at most `LIMITS.filesPerMessage`. A picture or sound whose content is of another type is
 * left out; `notes` has a line for each file that is.
 */
export async function keepFiles(
  files: readonly McpFile[],
  { keepFile }: Pick<ToolRuntime, 'keepFile'>,
): Promise<{ kept: Required<ToolResult>['files']; notes: string[] }> {
  const kept: FilePart[] = []
  const notes: string[] = []
  for (const [index, { name, mediaType, bytes }] of files.entries()) {
    const filename = plainLine(name, NAME).replaceAll('/', '_') || `file-${index + 1}`
    const type = typeOf(mediaType, bytes)
    if (kept.length >= LIMITS.filesPerMessage)
      notes.push(`[${filename} is left out: a result has at most ${LIMITS.filesPerMessage} files]`)
    else if (type === null) notes.push(`[${filename} is left out: its content is not of the type it names]`)
    else kept.push(await keepFile(bytes, { mediaType: type, filename }))
  }
  return { kept, notes }
}

/** The type of a file: that of its content for a picture, else the named one when the content may be of it. Null for none. */
function typeOf(named: string, bytes: Uint8Array): string | null {
  const head = bytes.subarray(0, SIGNATURE_BYTES)
  const type = mediaTypeOf(named) ?? 'application/octet-stream'
  if (bytes.length === 0) return null
  if (type.startsWith('image/')) return pictureType(head)
  return contentProblem(type, { head, isText: !bytes.includes(0) }) === null ? type : null
}
