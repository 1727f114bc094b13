import type { ChatPart } from '../../domain/message.ts'
import type { Tool } from '../tool.ts'
import { createToolSearch, foundIds } from './tool-search.ts'

/** Tools that a model is offered without a search. */
const MAX_LISTED = 20

/** The tools of a run. */
export type ToolCatalogue = {
  /** All that can be called in the run. */
  all: readonly Tool[]
  /** Those that the prompt lists. */
  listed: readonly Tool[]
  /** Those that the model is offered: the listed ones, then those that were found in these parts, in order of discovery. */
  offered(parts: readonly ChatPart[]): readonly Tool[]
}

/** Own tools and those of MCP servers; of more than 20 in all the last ones of the servers have to be searched for. */
export function createToolCatalogue(own: readonly Tool[], outside: readonly Tool[]): ToolCatalogue {
  const together = [...own, ...outside]
  if (outside.length === 0 || together.length <= MAX_LISTED)
    return { all: together, listed: together, offered: () => together }
  const shown = Math.max(0, MAX_LISTED - own.length - 1)
  const hidden = outside.slice(shown)
  const byId = new Map(hidden.map((tool) => [tool.id, tool]))
  const search = createToolSearch(hidden)
  const listed = [...own, search, ...outside.slice(0, shown)]
  return {
    all: [...listed, ...hidden],
    listed,
    offered: (parts) => [...listed, ...foundIds(parts).flatMap((id) => byId.get(id) ?? [])],
  }
}
