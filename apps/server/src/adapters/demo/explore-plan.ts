import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'
import type { ToolMove } from './tool-plan.ts'

/** Files that are read at most. */
const MAX_READ = 2

/** Decides the next move of one who looks around: list the files, read the first ones by name, and say what is there. */
export function nextExploreMove({ results }: DemoConversation, available: ReadonlySet<string>): ToolMove {
  if (!available.has('glob') || !available.has('read')) return { say: NO_TOOLS, call: null }
  const listed = results.find(({ toolName }) => toolName === 'glob')
  if (listed === undefined) return { say: LIST, call: { toolName: 'glob', input: { pattern: '**/*' } } }
  const files = listed.failed ? [] : filesIn(listed.text)
  const reads = results.filter(({ toolName }) => toolName === 'read')
  const next = files[reads.length]
  if (next !== undefined && reads.length < MAX_READ)
    return { say: `Next, \`${next}\`.`, call: { toolName: 'read', input: { path: next } } }
  return { say: answer(files, reads), call: null }
}

/** The paths of a list by name, a README before the others: the same whatever was changed last. */
function filesIn(text: string): string[] {
  const paths = text.split('\n').filter((line) => line !== '' && !/^\[|^No file matches/.test(line))
  return paths.toSorted((a, b) => Number(isReadme(b)) - Number(isReadme(a)) || (a < b ? -1 : Number(a > b)))
}

function isReadme(path: string): boolean {
  return /^readme\b/i.test(path)
}

function answer(files: readonly string[], reads: readonly DemoToolResult[]): string {
  if (files.length === 0) return EMPTY
  const read = reads.map(({ text, failed }, index) => {
    return `- \`${files[index] ?? ''}\`: ${failed ? 'could not be read' : linesOf(text)}`
  })
  return `There ${files.length === 1 ? 'is 1 file' : `are ${files.length} files`} in this folder. I have looked into ${read.length}:

${read.join('\n')}`
}

function linesOf(text: string): string {
  const count = text.trimEnd().split('\n').length
  return count === 1 ? '1 line came back' : `${count} lines came back`
}

const LIST = 'First, which files there are.'
const EMPTY = 'There are no files in this folder that I may read.'
const NO_TOOLS =
  'I would look around now, but this session gave me no way to. Start an ordinary chat and ask again.'
