import { AppError } from '../domain/errors.ts'
import type { WorkspaceFiles } from '../ports/index.ts'
import type { Place } from './source-folders.ts'

/** A problem with a file or folder, in words for a person; the file is used as far as it goes, or left out. */
export type SourceWarning = { path: string; text: string }

/** Bytes of one file of instructions, a skill, an agent or a command; a larger one is not read. */
const MAX_SOURCE_BYTES = 1024 * 1024

/** The text of a file, `missing` when there is none, or why it cannot be used. */
export type SourceText =
  | { type: 'text'; text: string }
  | { type: 'missing' }
  | { type: 'refused'; why: string }

/** Reads a text file in UTF-8, without NUL and with well-formed characters. Never fails for what a file holds or where a link leads. */
export async function readText(
  files: Pick<WorkspaceFiles, 'read'>,
  { root, path }: Place,
): Promise<SourceText> {
  try {
    const bytes = await files.read(root, path)
    if (bytes === null) return { type: 'missing' }
    if (bytes.length > MAX_SOURCE_BYTES) return { type: 'refused', why: 'It is larger than 1 MB.' }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.includes('\0')) return { type: 'refused', why: 'It is not a text.' }
    return { type: 'text', text: text.replaceAll(/\r\n?/g, '\n') }
  } catch (error) {
    if (error instanceof AppError) return { type: 'refused', why: error.message }
    if (error instanceof TypeError) return { type: 'refused', why: 'It is not a text in UTF-8.' }
    throw error
  }
}
