import type { DemoConversation, DemoToolResult } from './demo-conversation.ts'
import type { ToolMove } from './tool-plan.ts'

/** The folder of the files that the demo model writes and changes. */
const FOLDER = 'palimpsest-demo'

const HAIKU = 'An old page is scraped,\nand under the new ink waits\neverything that was.\n'
const OLD = 'An old page is scraped,'
const NEW = 'An old page is turned,'

/**
 * Decides the next move of a demonstration of edits: look which names are taken by earlier ones, write a small file, then change a
 * line of it. A denial ends it.
 */
export function nextEditMove({ results }: DemoConversation, available: ReadonlySet<string>): ToolMove {
  if (!available.has('write') || !available.has('edit')) return { say: NO_TOOLS, call: null }
  const listed = results.find(({ toolName }) => toolName === 'glob')
  if (listed === undefined && available.has('glob'))
    return { say: LOOK, call: { toolName: 'glob', input: { pattern: `${FOLDER}/*.txt` } } }
  const path = freePath(listed)
  const changes = results.filter(({ toolName }) => toolName === 'write' || toolName === 'edit')
  const last = changes.at(-1)
  if (last === undefined)
    return { say: writing(path), call: { toolName: 'write', input: { path, content: HAIKU } } }
  if (last.toolName === 'edit') return { say: last.failed ? failed(last.text) : done(path), call: null }
  // The file of an earlier demonstration is as good.
  if (last.failed && !last.text.includes('already')) return { say: failed(last.text), call: null }
  const edits = [{ old: OLD, new: NEW }]
  return { say: EDIT, call: { toolName: 'edit', input: { path, edits } } }
}

/** A name that no earlier demonstration in this folder has used. */
function freePath(listed: DemoToolResult | undefined): string {
  const taken = (name: string) => listed?.failed === false && listed.text.includes(`/${name}`)
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? 'haiku.txt' : `haiku-${count}.txt`
    if (!taken(name)) return `${FOLDER}/${name}`
  }
}

function failed(reason: string): string {
  return `That was not done: ${reason.split('\n')[0]}

So I go on without it. A denied call is not made, and its reason reaches the model, which can look for another way. I am the demo model and know none.`
}

const LOOK = 'First I look which files of earlier demonstrations are there.'
const writing = (path: string) =>
  `I will write a small file in this folder, \`${path}\`, and then change one line of it. Before each of the two you see exactly what would change, and you decide.`
const EDIT = 'The file is there. Now I change its first line.'
const done = (
  path: string,
) => `Both changes are made. Open the calls above to see each difference, and the rule or the decision that allowed it.

You can allow such changes for this chat or for this folder, or choose another mode under the message field. The file is \`${path}\`; delete its folder when you are done.`
const NO_TOOLS =
  'I would change a file now, but this session gave me no way to. Start an ordinary chat and ask again.'
