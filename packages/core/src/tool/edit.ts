import { z } from 'zod'
import { applyEdits, type Edit } from './files/apply-edits.ts'
import { type Change, changeFile, previewChange } from './files/change-file.ts'
import { requireChange } from './files/require-change.ts'
import { defineTool, ToolError } from './tool.ts'

/** Replaces texts in a file of the workspace. */
export const editTool = defineTool({
  id: 'edit',
  withoutFolder: null,
  description:
    'Replace texts in a text file of the workspace: all of the edits or none, in one write. Each old text must be in the ' +
    'file exactly once, with enough lines around it, unless all is set. The result is the difference.',
  input: z.object({
    path: z.string().min(1).max(4096).describe('Path relative to the workspace root'),
    edits: z
      .array(
        z.object({
          old: z.string().describe('The text as it is in the file, without line numbers'),
          new: z.string().describe('The text in its place'),
          all: z.boolean().exactOptional().describe('Replace each place where the old text is'),
        }),
      )
      .min(1)
      .max(100),
  }),
  requires: ({ path }, place) => requireChange(path, place),
  preview: ({ path, edits }, runtime) => previewChange(path, by(path, edits), runtime),
  execute: ({ path, edits }, runtime) => changeFile(path, by(path, edits), runtime),
})

function by(path: string, edits: readonly Edit[]): Change {
  return (before) => {
    if (before === null) throw new ToolError(`${path} does not exist. Use write for a new file.`)
    const edited = applyEdits(before, edits)
    if (edited.type === 'refused') throw new ToolError(edited.reason)
    const { text, rungs } = edited
    const loose = [...new Set(rungs)].filter((rung) => rung !== 'exact')
    const note = loose.length > 0 ? { note: `The old text was found but for ${loose.join(' and ')}.` } : {}
    return { text, data: { rungs }, ...note }
  }
}
