import type { Tool, ToolFacts } from '../tool.ts'
import { createToolSearch, foundIds } from './tool-search.ts'

/** Tools that a model is offered without a search. */
const MAX_LISTED = 20

/** The tools of a run. */
export type ToolCatalogue = {
  /** All that can be called in the run. */
  readonly all: readonly Tool[]
  /** Those that need no search: the own ones that can act, and the first ones of the servers. One that was listed stays. */
  listed(facts: ToolFacts): readonly Tool[]
  /** Those that the model is offered: the listed ones, then those that were found in these parts, in order of discovery. */
  offered(facts: ToolFacts): readonly Tool[]
  /** Own tools that the window has no space for: the model can find them, and a call of one is accepted. */
  readonly left: readonly Tool[]
  /** Lists all tools but these, which then have to be searched for; of the found ones the newest `found` are offered. */
  leave(ids: ReadonlySet<string>, found: number): void
}

/** Own tools and those of MCP servers; of more than 20 in all the last ones of the servers have to be searched for. */
export function createToolCatalogue(own: readonly Tool[], outside: readonly Tool[]): ToolCatalogue {
  const isSearched = outside.length > 0 && own.length + outside.length > MAX_LISTED
  const shown = isSearched ? Math.max(0, MAX_LISTED - own.length - 1) : outside.length
  const came = new Set<string>()
  let places = placesOf(new Set())
  let mostFound = Number.POSITIVE_INFINITY

  function placesOf(leaving: ReadonlySet<string>) {
    const left = own.filter(({ id }) => leaving.has(id))
    const firsts = outside.slice(0, shown).filter(({ id }) => !leaving.has(id))
    const hidden = [...left, ...outside.filter((tool) => !firsts.includes(tool))]
    const search = hidden.length > 0 ? [createToolSearch(hidden)] : []
    const near = [...own.filter(({ id }) => !leaving.has(id)), ...search, ...firsts]
    return { left, hidden, near, all: [...near, ...hidden] }
  }

  function listed(facts: ToolFacts): Tool[] {
    for (const { id, canAct } of [...places.near, ...places.left]) if (canAct?.(facts) ?? true) came.add(id)
    return places.near.filter(({ id }) => came.has(id))
  }

  return {
    get all() {
      return places.all
    },
    get left() {
      return places.left
    },
    listed,
    offered(facts) {
      const found = foundIds(facts.parts).flatMap((id) => places.hidden.find((tool) => tool.id === id) ?? [])
      return [...listed(facts), ...found.slice(Math.max(0, found.length - mostFound))]
    },
    leave(ids, found) {
      places = placesOf(ids)
      mostFound = found
    },
  }
}
