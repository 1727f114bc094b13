import { AppError } from '../domain/errors.ts'
import { isObject } from '../domain/json/stored-keys.ts'
import { checkedMemory, MEMORY_SCOPES, type MemoryScope, type MemoryText } from '../domain/settings/memory.ts'

export type Proposal = MemoryText & { scope: MemoryScope }

/** Proposals of one turn that are read. */
const MOST = 3

/** The proposals in a model's answer: a JSON list, alone or among other text. What is no memory is left out. */
export function readProposals(answer: string): Proposal[] {
  const list = parseList(answer.slice(answer.indexOf('['), answer.lastIndexOf(']') + 1))
  return list.slice(0, MOST).flatMap((entry) => toProposal(entry) ?? [])
}

function parseList(json: string): unknown[] {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

function toProposal(entry: unknown): Proposal | null {
  if (!isObject(entry)) return null
  const scope = MEMORY_SCOPES.find((known) => known === entry['scope'])
  const { name, description, type = 'note', body } = entry
  if (scope === undefined || typeof name !== 'string' || typeof description !== 'string') return null
  if (typeof type !== 'string' || typeof body !== 'string') return null
  try {
    return { scope, ...checkedMemory({ name, description, type, body }) }
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
