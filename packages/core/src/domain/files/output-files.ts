import { isObject } from '../json/stored-keys.ts'
import { LIMITS } from '../limits.ts'
import type { ChatPart } from '../message/message.ts'

type FilePart = Extract<ChatPart, { type: 'file' }>

/**
 * The files of a call's output, at most `LIMITS.filesPerMessage`: each a file part that names a blob, or holds its bytes
 * in a data URL once a request carries them. An imported output may be anything, and what is no file is left out.
 */
export function outputFiles(output: unknown): FilePart[] {
  if (!isObject(output) || !Array.isArray(output['files'])) return []
  return output['files'].slice(0, LIMITS.filesPerMessage).flatMap((file: unknown) => toFilePart(file) ?? [])
}

/** The file with all of an output's text, whose row has only the head; null for any other output. */
export function wholeOutput(output: unknown): FilePart | null {
  return isObject(output) ? toFilePart(output['whole']) : null
}

/** The files that hold what of an output does not fit a row: its text, and its data as JSON. */
export function keptOutside(output: unknown): FilePart[] {
  if (!isObject(output)) return []
  return [output['whole'], output['wholeData']].flatMap((file) => toFilePart(file) ?? [])
}

function toFilePart(file: unknown): FilePart | null {
  if (!isObject(file)) return null
  const { mediaType, url, filename, providerMetadata } = file
  if (typeof mediaType !== 'string' || typeof url !== 'string') return null
  const own = isObject(providerMetadata) ? providerMetadata['palimpsest'] : null
  const bytes = isObject(own) ? own['bytes'] : null
  return {
    type: 'file',
    mediaType,
    url,
    ...(typeof filename === 'string' && { filename }),
    ...(typeof bytes === 'number' && { providerMetadata: { palimpsest: { bytes } } }),
  }
}
