import { blobHash, type FilePart } from '../domain/files/blob.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ToolResult, ToolRuntime } from './tool.ts'

/** Bytes of a cut text that its row holds beside the note at its end. */
const HEAD_BYTES = 64_000
/** Bytes of JSON of an entry of `data` that stays in the row when all of it is too large. */
const ENTRY_BYTES = 4_096

/** A result whose text and data fit a row; what does not fit is in files. */
export type KeptResult = ToolResult & {
  /** All of the text. */
  whole?: FilePart
  /** All of `data`, as JSON. */
  wholeData?: FilePart
}

/** The path by which `read` finds all of a call's text. */
export function outputPathOf(toolCallId: string): string {
  return `${OUTPUT_SCHEME}${toolCallId}`
}

/** The call that such a path names; null for a path of the workspace. */
export function callOfPath(path: string): string | null {
  return path.startsWith(OUTPUT_SCHEME) ? path.slice(OUTPUT_SCHEME.length) : null
}

const OUTPUT_SCHEME = 'output:'

/**
 * Moves what does not fit a row, `LIMITS.inlineFileBytes` of text and as much of data, into blobs. The head of the text stays, with a
 * note how to read the rest; in a small window it is shorter. What cannot be stored stays in the result, so that nothing is lost.
 */
export async function keepLarge(
  result: ToolResult,
  { toolCallId, keepFile, outputBytes }: Pick<ToolRuntime, 'toolCallId' | 'keepFile' | 'outputBytes'>,
): Promise<KeptResult> {
  const most = Math.min(LIMITS.inlineFileBytes, outputBytes?.() ?? LIMITS.inlineFileBytes)
  return await withSmallData(await withSmallText(result, toolCallId, keepFile, most), keepFile)
}

type KeepFile = ToolRuntime['keepFile']

async function withSmallText(
  { all, ending, ...result }: ToolResult,
  toolCallId: string,
  keepFile: KeepFile,
  most: number,
): Promise<KeptResult> {
  const { text, outputPath } = result
  // A character has three bytes at most.
  if (all === undefined && text.length * 3 <= most) return result
  const encoder = new TextEncoder()
  const own = encoder.encode(text)
  if (all === undefined && own.length <= most) return result
  const bytes = (await all?.read().catch(() => null)) ?? null
  if (bytes === null && own.length <= most) return result
  const whole = await keepFile(bytes ?? own, { mediaType: 'text/plain', filename: 'output.txt' }).catch(
    () => null,
  )
  if (whole === null) return result
  const hash = blobHash(whole.url)
  // A file that stays is removed later.
  if (hash !== null) await all?.stored(hash, bytes !== null).catch(() => undefined)
  const path = bytes === null && outputPath !== undefined ? outputPath : outputPathOf(toolCallId)
  const size = bytes?.length ?? own.length
  const head = headOf(own, Math.min(HEAD_BYTES, most))
  const note = `[Only the first ${encoder.encode(head).length} of ${size} bytes. All of it can be read with the tool read: ${outputPathOf(toolCallId)}]`
  const lines = [head, '', note, ...(ending === undefined ? [] : [ending])]
  return { ...result, text: lines.join('\n'), truncated: true, outputPath: path, whole }
}

/** The beginning of a text, to the end of a line where there is one. */
function headOf(bytes: Uint8Array, most: number): string {
  if (bytes.length <= most) return new TextDecoder().decode(bytes)
  const head = new TextDecoder().decode(bytes.subarray(0, most), { stream: true })
  const end = head.lastIndexOf('\n')
  return end > head.length / 2 ? head.slice(0, end) : head
}

async function withSmallData(result: KeptResult, keepFile: KeepFile): Promise<KeptResult> {
  const { data } = result
  if (data === undefined) return result
  const json = new TextEncoder().encode(JSON.stringify(data))
  if (json.length <= LIMITS.inlineFileBytes) return result
  const file = { mediaType: 'application/json', filename: 'data.json' }
  const wholeData = await keepFile(json, file).catch(() => null)
  if (wholeData === null) return result
  const entries = Object.entries(data).filter(
    ([, value]) => (JSON.stringify(value) ?? '').length <= ENTRY_BYTES,
  )
  return { ...result, data: Object.fromEntries(entries), wholeData }
}
