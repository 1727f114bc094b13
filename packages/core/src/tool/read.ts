import { z } from 'zod'
import { isPdf, pictureType } from '../domain/files/content-check.ts'
import { wholeOutput } from '../domain/files/output-files.ts'
import { pdfText } from '../domain/files/pdf.ts'
import { isOwnCall } from '../domain/message/message.ts'
import { sha256 } from '../domain/values/sha256.ts'
import { decodeText } from '../domain/workspace/text-file.ts'
import { inFiles, requireReading, rootOf } from './files/workspace-path.ts'
import { callOfPath, outputPathOf } from './keep-large.ts'
import { defineTool, ToolError, type ToolResult, type ToolRuntime } from './tool.ts'

/** Bytes of text of one answer at most, and names of a folder. */
const MAX_BYTES = 200_000
const MAX_NAMES = 1_000
/** Bytes of UTF-8 of one unit of a string at most, and of a line's number with its tab and the end of the line. */
const MAX_UNIT_BYTES = 3
const MAX_NUMBER_BYTES = 20
/** Bytes of an earlier result that come back at once: they fit a row. */
const ROW_BYTES = 60_000

const OFFSET = z.int().min(0).default(1)
const LIMIT = z.int().min(1).exactOptional()

/** Reads on in a result that was cut. It is offered once there is one. */
const readResultTool = defineTool({
  id: 'read',
  description: 'Read lines of a long result, as output:call_1.',
  canAct: ({ parts }) => parts.some((part) => isOwnCall(part) && wholeOutput(part.output) !== null),
  input: z.object({ path: z.string().min(1).max(4096), offset: OFFSET, limit: LIMIT }),
  requires: () => [],
  async execute({ path, offset, limit }, runtime) {
    const toolCallId = callOfPath(path)
    if (toolCallId === null)
      throw new ToolError('This chat has no folder. Only results can be read, as output:call_1.')
    return await readOutput(toolCallId, Math.max(offset, 1), limit, runtime)
  },
})

/** Reads a text file, a PDF or a picture of the workspace, or lists a folder. */
export const readTool = defineTool({
  id: 'read',
  withoutFolder: readResultTool,
  description:
    'Read a text file, the text of a PDF or a picture of the workspace, or list a folder. Each line comes with its number and a tab ' +
    `before it. At most ${MAX_BYTES} bytes come back; use offset to read on. A path such as output:call_1 is all of the result of that call. PNG, JPEG, GIF and WebP are shown to you.`,
  input: z.object({
    path: z.string().min(1).max(4096).describe('Path relative to the workspace root'),
    offset: OFFSET.describe('Number of the first line, from 1'),
    limit: LIMIT.describe('Lines to read at most'),
  }),
  // What the model has been given once needs no permission.
  requires: ({ path }, place) => (callOfPath(path) === null ? requireReading(path, place) : []),
  async execute({ path, offset, limit }, runtime) {
    const { files } = runtime
    const toolCallId = callOfPath(path)
    if (toolCallId !== null) return await readOutput(toolCallId, Math.max(offset, 1), limit, runtime)
    const root = rootOf(runtime)
    const found = await inFiles(files.find(root, path, MAX_NAMES))
    if (found === null) throw new ToolError(`${path} does not exist.`)
    const { path: real } = found
    if (found.type === 'folder') return toList(real, found)
    const { bytes } = found
    const data = { path: real, stamp: await sha256(bytes) }
    if (isPdf(bytes)) {
      const { text, isWhole } = await pdfOf(bytes, path, runtime)
      const lines = toLines(real, text, Math.max(offset, 1), limit)
      return { ...lines, ...(!isWhole && { truncated: true, outputPath: real }), data }
    }
    const file = decodeText(bytes)
    if (file === null) return { ...(await asPicture(bytes, { path, real }, runtime)), data }
    return { ...toLines(real, file.text, Math.max(offset, 1), limit), data }
  },
})

/** Lines of an earlier call's result, as many as a row holds. */
async function readOutput(
  toolCallId: string,
  offset: number,
  limit: number | undefined,
  runtime: ToolRuntime,
): Promise<ToolResult> {
  const bytes = await runtime.readOutput(toolCallId)
  if (bytes === null) throw new ToolError(`There is no longer result of a call ${toolCallId}.`)
  const text = new TextDecoder().decode(bytes)
  return toLines(outputPathOf(toolCallId), text, offset, limit, ROW_BYTES)
}

/** The text of a PDF, page by page. */
async function pdfOf(
  bytes: Uint8Array,
  path: string,
  { pdf, signal }: ToolRuntime,
): Promise<{ text: string; isWhole: boolean }> {
  if (pdf === null) throw new ToolError(`${path} is a PDF, and this server reads none.`)
  const read = pdfText(path, await pdf.read(bytes, signal))
  if (read.type === 'refused') throw new ToolError(read.reason)
  return read
}

/** A picture as a file of the result. Its content decides what it is, not its name. */
async function asPicture(
  bytes: Uint8Array<ArrayBuffer>,
  { path, real }: { path: string; real: string },
  runtime: ToolRuntime,
): Promise<ToolResult> {
  const mediaType = pictureType(bytes)
  if (mediaType === null) throw new ToolError(`${path} is not text in UTF-8 or UTF-16.`)
  const filename = real.slice(real.lastIndexOf('/') + 1)
  const file = await inFiles(runtime.keepFile(bytes, { mediaType, filename }))
  return {
    text: `${real} is a picture: ${mediaType}, ${bytes.length} bytes.`,
    files: [file],
  }
}

function toList(path: string, { names, total }: { names: string[]; total: number }): ToolResult {
  if (total === 0) return { text: 'The folder is empty.' }
  const text = names.join('\n')
  if (total === names.length) return { text }
  return { text: `${text}\n\n[${names.length} of ${total} names]`, truncated: true, outputPath: path }
}

/** The lines from `first` on, as many as fit; a line that alone does not fit is cut. */
function toLines(
  path: string,
  text: string,
  first: number,
  limit = Number.POSITIVE_INFINITY,
  most = MAX_BYTES,
): ToolResult {
  const lines = text.split(/\r\n|\n|\r/)
  // What follows the last ending is no line.
  if (lines.at(-1) === '') lines.pop()
  const wanted = lines.slice(first - 1, Math.min(lines.length, first - 1 + limit))
  const shown: string[] = []
  // Counting bytes takes longer than all else, and most files fit by far.
  const fits = text.length * MAX_UNIT_BYTES + wanted.length * MAX_NUMBER_BYTES <= most
  let bytes = 0
  for (const [index, line] of wanted.entries()) {
    const numbered = `${first + index}\t${line}`
    bytes += fits ? 0 : byteLength(numbered) + 1
    if (bytes > most) {
      if (index === 0) shown.push(cutTo(numbered, most))
      break
    }
    shown.push(numbered)
  }
  if (lines.length === 0) return { text: 'The file is empty.' }
  const last = first + shown.length - 1
  if (shown.length === 0) return { text: `The file has ${lines.length} lines.` }
  const cut = wanted.length > 0 && bytes > most
  if (last === lines.length && !cut) return { text: shown.join('\n') }
  const note = `[Lines ${first} to ${last} of ${lines.length}${cut ? '; this is as much as one answer holds' : ''}]`
  return { text: `${shown.join('\n')}\n\n${note}`, truncated: true, outputPath: path }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

function cutTo(text: string, bytes: number): string {
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, bytes), { stream: true })
}
