import type { Tool, ToolFacts } from '../tool.ts'
import { createToolSearch, foundIds } from './tool-search.ts'

/** Tools that a model is offered without a search. */
const MAX_LISTED = 20

/** The tools of a run. */
export type ToolCatalogue = {
  /** All that can be called in the run. */
  all: readonly Tool[]
  /** Those that need no search: the own ones that can act, and the first ones of the servers. One that was listed stays. */
  listed(facts: ToolFacts): readonly Tool[]
  /** Those that the model is offered: the listed ones, then those that were found in these parts, in order of discovery. */
  offered(facts: ToolFacts): readonly Tool[]
}

/** Own tools and those of MCP servers; of more than 20 in all the last ones of the servers have to be searched for. */
export function createToolCatalogue(own: readonly Tool[], outside: readonly Tool[]): ToolCatalogue {
  const isSearched = outside.length > 0 && own.length + outside.length > MAX_LISTED
  const shown = isSearched ? Math.max(0, MAX_LISTED - own.length - 1) : outside.length
  const hidden = outside.slice(shown)
  const near = [...own, ...(isSearched ? [createToolSearch(hidden)] : []), ...outside.slice(0, shown)]
  const byId = new Map(hidden.map((tool) => [tool.id, tool]))
  const came = new Set<string>()

  function listed(facts: ToolFacts): Tool[] {
    for (const { id, canAct } of near) if (canAct?.(facts) ?? true) came.add(id)
    return near.filter(({ id }) => came.has(id))
  }

  return {
    all: [...near, ...hidden],
    listed,
    offered: (facts) => [...listed(facts), ...foundIds(facts.parts).flatMap((id) => byId.get(id) ?? [])],
  }
}
