import type { DemoConversation } from './demo-conversation.ts'
import type { ToolMove } from './tool-plan.ts'

/** The file that the demo model writes and changes. */
const PATH = 'palimpsest-demo/haiku.txt'

const HAIKU = 'An old page is scraped,\nand under the new ink waits\neverything that was.\n'
const OLD = 'An old page is scraped,'
const NEW = 'An old page is turned,'

/** Decides the next move of a demonstration of edits: write a small file, then change a line of it. A denial ends it. */
export function nextEditMove({ results }: DemoConversation, available: ReadonlySet<string>): ToolMove {
  if (!available.has('write') || !available.has('edit')) return { say: NO_TOOLS, call: null }
  const changes = results.filter(({ toolName }) => toolName === 'write' || toolName === 'edit')
  const last = changes.at(-1)
  if (last === undefined)
    return { say: WRITE, call: { toolName: 'write', input: { path: PATH, content: HAIKU } } }
  if (last.toolName === 'edit') return { say: last.failed ? failed(last.text) : DONE, call: null }
  // The file of an earlier demonstration is as good.
  if (last.failed && !last.text.includes('already')) return { say: failed(last.text), call: null }
  const edits = [{ old: OLD, new: NEW }]
  return { say: EDIT, call: { toolName: 'edit', input: { path: PATH, edits } } }
}

function failed(reason: string): string {
  return `That was not done: ${reason.split('\n')[0]}

So I go on without it. A denied call is not made, and its reason reaches the model, which can look for another way. I am the demo model and know none.`
}

const WRITE = `I will write a small file in this workspace, \`${PATH}\`, and then change one line of it. Before each of the two you see exactly what would change, and you decide.`
const EDIT = 'The file is there. Now I change its first line.'
const DONE = `Both changes are made. Open the calls above to see each difference, and the rule or the decision that allowed it.

You can allow such changes for this chat or for the project, or choose another mode under the message field. The file is \`${PATH}\`; delete its folder when you are done.`
const NO_TOOLS =
  'I would change a file now, but this session gave me no way to. Start an ordinary chat and ask again.'
