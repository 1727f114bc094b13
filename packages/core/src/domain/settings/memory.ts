import { AppError } from '../errors.ts'

/** `user`: it holds everywhere. `project`: it holds in the sessions of one workspace. */
export const MEMORY_SCOPES = ['user', 'project'] as const
export type MemoryScope = (typeof MEMORY_SCOPES)[number]

/** Bounds of memories. */
export const MEMORY_LIMITS = {
  /** Characters of each field. */
  name: 80,
  description: 200,
  type: 40,
  body: 10_000,
  /** Memories of one scope, proposals included. */
  memories: 1_000,
  /** Proposals of one scope that wait for a person. */
  proposals: 50,
  /** Lines of memories in a system prompt. */
  promptLines: 200,
} as const

/** What a memory says. Name and description are one line each; the name is unique in its scope. */
export type MemoryText = { name: string; description: string; type: string; body: string }

/** The message that a memory came from. The session may be gone. */
export type MemoryOrigin = { sessionId: string; messageId: string }

export type Memory = MemoryText & {
  id: string
  scope: MemoryScope
  /** Real path of the workspace of a project's memory; null for one of the user. */
  workspaceRoot: string | null
  /** A proposal waits for a person: no model reads it. */
  state: 'accepted' | 'proposed'
  /** Null for one that a person wrote in the settings. */
  origin: MemoryOrigin | null
  createdAt: number
  updatedAt: number
}

/** What a prompt and a list show of a memory. */
export type MemoryLine = Pick<Memory, 'scope' | 'name' | 'description' | 'type'>

/** In the order of prompts and lists: the user's first, then by name. */
export function sortMemories<T extends Pick<Memory, 'scope' | 'name'>>(memories: readonly T[]): T[] {
  const key = ({ scope, name }: T) => `${scope === 'user' ? 0 : 1} ${name}`
  return memories.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** The text as it is stored. `INVALID_INPUT` with the field that is empty or too long. */
export function checkedMemory({ name, description, type, body }: MemoryText): MemoryText {
  const checked = {
    name: toLine(name),
    description: toLine(description),
    type: toLine(type) || 'note',
    body: body.toWellFormed().trim(),
  }
  for (const field of ['name', 'description', 'type', 'body'] as const) {
    const { length } = checked[field]
    if (length > 0 && length <= MEMORY_LIMITS[field]) continue
    const message = `A memory's ${field} has 1 to ${MEMORY_LIMITS[field]} characters.`
    throw new AppError('INVALID_INPUT', message, { field })
  }
  return checked
}

/** A text as one line without control characters. */
export function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
}
