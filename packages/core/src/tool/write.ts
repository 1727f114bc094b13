import { z } from 'zod'
import { type Change, changeFile, previewChange } from './files/change-file.ts'
import { requireChange } from './files/require-change.ts'
import { defineTool, ToolError } from './tool.ts'

const PATH = z.string().min(1).max(4096).describe('Path relative to the workspace root')

/** Writes a whole file of the workspace. */
export const writeTool = defineTool({
  id: 'write',
  withoutFolder: null,
  description:
    'Write a whole text file of the workspace; folders that are missing are made. ' +
    'To change a part of a file use edit. The result is the difference.',
  input: z.object({ path: PATH, content: z.string().describe('The whole text of the file') }),
  requires: ({ path }, place) => requireChange(path, place),
  preview: ({ path, content }, runtime) => previewChange(path, to(content), runtime),
  execute: ({ path, content }, runtime) => changeFile(path, to(content), runtime),
})

function to(content: string): Change {
  return (before) => {
    if (before === content.toWellFormed()) throw new ToolError('The file has this content already.')
    return { text: content }
  }
}
