import { z } from 'zod'
import { inFiles, requireReading, rootOf } from './files/workspace-path.ts'
import { defineTool } from './tool.ts'

/** Paths of one answer at most. */
const MAX_PATHS = 1_000

/** Finds files by their path. */
export const globTool = defineTool({
  id: 'glob',
  withoutFolder: null,
  description:
    'Find files of the workspace by a pattern of their path, such as src/**/*.ts. The file changed last comes first. ' +
    `Files that git ignores are left out; at most ${MAX_PATHS} paths come back.`,
  input: z.object({
    pattern: z.string().min(1).max(1_000).describe('Pattern, relative to the folder'),
    path: z
      .string()
      .min(1)
      .max(4096)
      .default('.')
      .describe('Folder to search, the workspace root by default'),
  }),
  requires: ({ path }, place) => requireReading(path, place),
  async execute({ pattern, path }, runtime) {
    const { files, signal } = runtime
    const query = { pattern, path, limit: MAX_PATHS }
    const { paths, truncated } = await inFiles(files.glob(rootOf(runtime), query, signal))
    const text = paths.length === 0 ? 'No file matches.' : paths.join('\n')
    if (!truncated) return { text }
    return {
      text: `${text}\n\n[Only the first ${MAX_PATHS} paths; search a folder of them.]`,
      truncated,
      outputPath: path,
    }
  },
})
