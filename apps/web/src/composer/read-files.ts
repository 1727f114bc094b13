import { createId, LIMITS } from '@palimpsest/core/domain'
import { words } from '../words/en.ts'
import type { DraftFile } from './drafts.ts'

export type ReadFiles = { files: DraftFile[]; complaints: string[] }

/** Reads files into data URLs, as many and as large as a message takes; says which ones were left out, and why. */
export async function readFiles(chosen: readonly File[], present: number): Promise<ReadFiles> {
  const room = Math.max(0, LIMITS.filesPerMessage - present)
  const read = await Promise.all(chosen.slice(0, room).map(readFile))
  const crowded = chosen.length > room ? [words.tooMany(LIMITS.filesPerMessage)] : []
  return {
    files: read.filter((result) => typeof result !== 'string'),
    complaints: [...read.filter((result) => typeof result === 'string'), ...crowded],
  }
}

/** The file, or what is wrong with it. */
async function readFile(file: File): Promise<DraftFile | string> {
  const mediaType = file.type || 'application/octet-stream'
  if (file.size > LIMITS.fileCharacters) return words.tooLarge(file.name)
  try {
    const url = `data:${mediaType};base64,${toBase64(new Uint8Array(await file.arrayBuffer()))}`
    if (url.length > LIMITS.fileCharacters) return words.tooLarge(file.name)
    return { id: createId('prt'), name: file.name, mediaType, url }
  } catch {
    return words.unreadable(file.name)
  }
}

/** Bytes that one call may spread over its arguments. */
const SLICE = 0x8000

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += SLICE) {
    binary += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  }
  return btoa(binary)
}
