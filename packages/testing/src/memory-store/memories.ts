import {
  AppError,
  createId,
  decodeIdCursor,
  MEMORY_LIMITS,
  type Memory,
  sortMemories,
} from '@palimpsest/core/domain'
import type { MemoryPlace, MemoryStore, NewMemory } from '@palimpsest/core/ports'
import { atomically, copy, type MemoryTables } from './tables.ts'

export function createMemoryMemories({ memories }: MemoryTables): MemoryStore {
  const of = (place: MemoryPlace) =>
    [...memories.values()].filter(({ workspaceRoot }) => workspaceRoot === place)
  const named = (place: MemoryPlace, name: string) => of(place).find((memory) => memory.name === name)

  function write({ workspaceRoot, ...memory }: NewMemory, state: Memory['state'], at: number): Memory {
    const known = named(workspaceRoot, memory.name)
    const scope = workspaceRoot === null ? ('user' as const) : ('project' as const)
    const place = { id: known?.id ?? createId('mem'), scope, workspaceRoot }
    const written = { ...memory, ...place, state, createdAt: known?.createdAt ?? at, updatedAt: at }
    memories.set(written.id, copy(written))
    return written
  }

  return {
    page: ({ limit, cursor, scope, workspaceRoot }) =>
      atomically(() => {
        const before = cursor === undefined ? null : decodeIdCursor(cursor)
        const found = [...memories.values()]
          .filter((memory) => before === null || memory.id < before)
          .filter((memory) => scope === undefined || memory.scope === scope)
          .filter((memory) => workspaceRoot === undefined || memory.workspaceRoot === workspaceRoot)
          .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        const items = found.slice(0, limit)
        return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : null }
      }),
    index: (workspaceRoot) =>
      atomically(() =>
        sortMemories(
          [...of(null), ...(workspaceRoot === null ? [] : of(workspaceRoot))]
            .filter(({ state }) => state === 'accepted')
            .map(({ body: _, ...line }) => line),
        ),
      ),
    find: (place, name) => atomically(() => named(place, name) ?? null),
    put: (memory, at) =>
      atomically(() => {
        const place = memory.workspaceRoot
        const isNew = named(place, memory.name) === undefined
        if (isNew && of(place).length >= MEMORY_LIMITS.memories) {
          const message = `There are ${MEMORY_LIMITS.memories} memories already. Delete some first.`
          throw new AppError('RATE_LIMITED', message)
        }
        return write(memory, 'accepted', at)
      }),
    edit: (id, text, at) =>
      atomically(() => {
        const known = memories.get(id)
        if (known === undefined) return null
        const other = named(known.workspaceRoot, text.name)
        if (other !== undefined && other.id !== id)
          throw new AppError('CONFLICT', 'Another memory has this name.', { field: 'name' })
        const edited: Memory = { ...known, ...copy(text), state: 'accepted', updatedAt: at }
        memories.set(id, edited)
        return edited
      }),
    propose: (memory, at) =>
      atomically(() => {
        const all = of(memory.workspaceRoot)
        const known = named(memory.workspaceRoot, memory.name)
        const open = all.filter(({ state }) => state === 'proposed').length
        const isFull = open >= MEMORY_LIMITS.proposals || all.length >= MEMORY_LIMITS.memories
        if (known?.state === 'accepted' || (known === undefined && isFull)) return null
        return write(memory, 'proposed', at)
      }),
    remove: (id) => atomically(() => memories.delete(id)),
  }
}
