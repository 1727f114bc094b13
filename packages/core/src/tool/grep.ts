import { z } from 'zod'
import type { GrepLine } from '../ports/files.ts'
import { inFiles, requireReading, rootOf } from './files/workspace-path.ts'
import { defineTool } from './tool.ts'

/** Matching lines of one answer at most, and characters of a line that are shown. */
const MAX_MATCHES = 200
const MAX_LINE = 500

/** Finds lines by a regular expression. */
export const grepTool = defineTool({
  id: 'grep',
  withoutFolder: null,
  description:
    'Search the text files of the workspace for a regular expression (Rust syntax). ' +
    `Files that git ignores are left out; at most ${MAX_MATCHES} matches come back.`,
  input: z.object({
    pattern: z.string().min(1).max(1_000).describe('Regular expression'),
    path: z.string().min(1).max(4096).default('.').describe('File or folder to search'),
    glob: z
      .string()
      .min(1)
      .max(1_000)
      .exactOptional()
      .describe('Only files whose path matches, such as *.ts'),
    context: z.int().min(0).max(20).default(0).describe('Lines around each match'),
    files_only: z.boolean().default(false).describe('Only the paths of files that have a match'),
  }),
  requires: ({ path }, place) => requireReading(path, place),
  async execute({ pattern, path, glob = null, context, files_only }, runtime) {
    const { files, signal } = runtime
    const query = {
      pattern,
      path,
      glob,
      context: files_only ? 0 : context,
      firstOnly: files_only,
      limit: MAX_MATCHES,
    }
    const { lines, truncated } = await inFiles(files.grep(rootOf(runtime), query, signal))
    const text = files_only ? [...new Set(lines.map((line) => line.path))].join('\n') : toText(lines)
    if (text === '') return { text: 'No line matches.' }
    if (!truncated) return { text }
    return { text: `${text}\n\n[Only the first ${MAX_MATCHES} matches.]`, truncated, outputPath: path }
  },
})

/** Each file's path over its lines: `12: ` before a match, `12- ` before a line around one. */
function toText(lines: readonly GrepLine[]): string {
  const blocks: string[] = []
  let last: GrepLine | undefined
  for (const line of lines) {
    if (line.path !== last?.path) blocks.push(last === undefined ? line.path : `\n${line.path}`)
    else if (line.number > last.number + 1) blocks.push('--')
    const text = line.text.length > MAX_LINE ? `${line.text.slice(0, MAX_LINE).toWellFormed()}…` : line.text
    blocks.push(`${line.number}${line.isMatch ? ':' : '-'} ${text}`)
    last = line
  }
  return blocks.join('\n')
}
