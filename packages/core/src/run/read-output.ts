import { blobHash } from '../domain/files/blob.ts'
import { wholeOutput } from '../domain/files/output-files.ts'
import { LIMITS } from '../domain/limits.ts'
import { type ChatPart, isOwnCall } from '../domain/message/message.ts'

type ReadBlob = (hash: string) => Promise<AsyncIterable<Uint8Array> | null>

/** Reads all of a result that these parts hold the head of; null when none of them does, or it is no longer stored. */
export async function readOutput(
  parts: readonly ChatPart[],
  toolCallId: string,
  readBlob: ReadBlob,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const part = parts.findLast((one) => isOwnCall(one) && one.toolCallId === toolCallId)
  const whole = part !== undefined && isOwnCall(part) ? wholeOutput(part.output) : null
  const hash = whole === null ? null : blobHash(whole.url)
  const content = hash === null ? null : await readBlob(hash)
  if (content === null) return null
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of content) {
    length += piece.length
    if (length > LIMITS.blobBytes) return null
    pieces.push(piece)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
