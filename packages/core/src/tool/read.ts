import { z } from 'zod'
import { AppError } from '../domain/errors.ts'
import { defineTool, ToolError } from './tool.ts'

/** Characters of one answer at most. */
const MAX_CHARACTERS = 200_000

const NOT_ALLOWED =
  'The folder of this chat is not allowed by the operator of this server, or is gone. Its files cannot be read.'

/** Reads a text file of the workspace. */
export const readTool = defineTool({
  id: 'read',
  description:
    'Read a text file of the workspace. Paths are relative to its root. ' +
    `At most ${MAX_CHARACTERS} characters come back; use offset to read on.`,
  input: z.object({
    path: z.string().min(1).max(4096).describe('Path relative to the workspace root'),
    offset: z.int().min(0).default(0).describe('Character to start from'),
    limit: z.int().min(1).max(MAX_CHARACTERS).default(MAX_CHARACTERS).describe('Characters to read at most'),
  }),
  requires: ({ path }) => [{ permission: 'read', pattern: path }],
  async execute({ path, offset, limit }, { files, workspaceRoot }) {
    if (workspaceRoot === null) throw new ToolError(NOT_ALLOWED)
    try {
      const { text, totalCharacters } = await files.readText(workspaceRoot, path, { offset, limit })
      const end = offset + text.length
      if (end >= totalCharacters) return { text }
      return {
        text: `${text}\n\n[Characters ${offset} to ${end} of ${totalCharacters}]`,
        truncated: true,
        outputPath: path,
      }
    } catch (error) {
      throw error instanceof AppError ? new ToolError(error.message) : error
    }
  },
})
