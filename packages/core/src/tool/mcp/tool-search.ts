import { z } from 'zod'
import { isObject } from '../../domain/json/stored-keys.ts'
import { type ChatPart, isOwnCall } from '../../domain/message/message.ts'
import { defineTool, type Tool } from '../tool.ts'

export const TOOL_SEARCH = 'tool_search'

/** Tools of one answer. */
const MAX_FOUND = 10

/** A word in the name of a tool counts for so many in its description. */
const NAME_WEIGHT = 4

const INPUT = z.object({ query: z.string().min(1).max(500).describe('Words for what the tool does') })

/** Finds tools that the model is not offered; those found are offered from then on. */
export function createToolSearch(hidden: readonly Tool[]): Tool {
  const own = hidden.filter((tool) => serverOf(tool) === null).map(({ id }) => id)
  const servers = Map.groupBy(hidden, serverOf)
  const counts = [...servers].flatMap(([server, tools]) =>
    server === null ? [] : [`${server} (${tools.length})`],
  )
  const unlisted = [
    ...(own.length > 0 ? [`Tools that are not listed: ${own.join(', ')}.`] : []),
    ...(counts.length > 0 ? [`Tools that are not listed, by server: ${counts.join(', ')}.`] : []),
  ].join(' ')
  return defineTool({
    id: TOOL_SEARCH,
    description: `Find more tools by words of their names and descriptions; those found can be called from then on. ${unlisted}`,
    input: INPUT,
    requires: () => [],
    execute({ query }) {
      const found = findTools(query, hidden)
      const lines = found.map(({ id, description }) => `- ${id}: ${description}`)
      const text =
        found.length === 0
          ? `No tool has these words. ${unlisted}`
          : `These tools can be called now:\n${lines.join('\n')}`
      return Promise.resolve({ text, data: { found: found.map(({ id }) => id) } })
    },
  })
}

/** The tools with most of the words, the best first; those that come first among equals. */
export function findTools(query: string, tools: readonly Tool[]): Tool[] {
  const words = [...new Set(wordsOf(query))]
  return tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ tool }) => tool)
}

function scoreOf({ id, description }: Tool, words: readonly string[]): number {
  const name = wordsOf(id)
  const said = new Set(wordsOf(description))
  return words.reduce((score, word) => {
    const inName = name.some((part) => part.startsWith(word)) ? NAME_WEIGHT : 0
    return score + inName + (said.has(word) ? 1 : 0)
  }, 0)
}

/** Words in lower case; `createIssue` and `create_issue` have two. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}

/** The ids of the tools that searches in these parts have found, in order of discovery. */
export function foundIds(parts: readonly ChatPart[]): string[] {
  const found = parts.flatMap((part) => {
    if (!isOwnCall(part) || part.type !== `tool-${TOOL_SEARCH}` || part.state !== 'output-available')
      return []
    const data = isObject(part.output) ? part.output['data'] : null
    const ids = isObject(data) ? data['found'] : null
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []
  })
  return [...new Set(found)]
}

/** The MCP server of a tool; null for one of our own. */
function serverOf({ metadata }: Tool): string | null {
  const mcp = metadata?.['mcp']
  return isObject(mcp) && typeof mcp['server'] === 'string' ? mcp['server'] : null
}
