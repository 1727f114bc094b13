import type { Memory, MemoryOrigin, MemoryScope, MemoryText } from '../domain/settings/memory.ts'
import type { Page } from './page.ts'

/** Where memories hold: everywhere for null, else in the sessions of this workspace, a real path. */
export type MemoryPlace = string | null

export type NewMemory = MemoryText & { workspaceRoot: MemoryPlace; origin: MemoryOrigin | null }

export type MemoryQuery = {
  /** 1 to 200. */
  limit: number
  cursor?: string
  scope?: MemoryScope
  workspaceRoot?: string
}

/** Stores memories. A name is unique in its place. Rows that were damaged are left out. */
export interface MemoryStore {
  /** The last created first. A bad cursor is `INVALID_INPUT` of field `cursor`. */
  page(query: MemoryQuery): Promise<Page<Memory>>
  /** The accepted memories that hold in a workspace, those of the user too, in order of scope and name; without bodies. */
  index(workspaceRoot: MemoryPlace): Promise<Omit<Memory, 'body'>[]>
  /** The memory of a name, proposed ones included; null when there is none. */
  find(place: MemoryPlace, name: string): Promise<Memory | null>
  /** Writes an accepted memory, over the one of its name. `RATE_LIMITED` once its place has `MEMORY_LIMITS.memories`. */
  put(memory: NewMemory, at: number): Promise<Memory>
  /**
   * Changes the text of a memory and accepts it; its origin stays. Null when there is none with this id, `CONFLICT` when
   * another one of its place has the name.
   */
  edit(id: string, text: MemoryText, at: number): Promise<Memory | null>
  /**
   * Adds a proposal, or replaces the proposal of its name. Null, and nothing changes, when the name is that of an accepted memory
   * or when `MEMORY_LIMITS.proposals` of its place wait or it is full.
   */
  propose(memory: NewMemory, at: number): Promise<Memory | null>
  /** False when there is none with this id. */
  remove(id: string): Promise<boolean>
}
