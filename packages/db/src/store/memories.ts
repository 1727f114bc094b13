import {
  AppError,
  createId,
  decodeIdCursor,
  MEMORY_LIMITS,
  type Memory,
  type MemoryText,
  sortMemories,
} from '@palimpsest/core/domain'
import type { MemoryPlace, MemoryQuery, MemoryStore, NewMemory, Page } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import type { RawQueries, ReadQueries } from '../connect/statements.ts'
import {
  countMemories,
  deleteMemory,
  deleteNamed,
  inPlace,
  readMemories,
  writeMemory,
} from '../sql/memory-rows.ts'

export function createMemoryTable(database: Database): MemoryStore {
  return {
    page: (query) => database.read((queries) => page(queries, query)),
    index: (workspaceRoot) =>
      database.read(async (queries) => {
        const where = 'workspace_root IS NULL OR workspace_root = ?'
        const found = await readMemories(queries, { where, values: [workspaceRoot], bodies: false })
        const accepted = found.filter(({ state }) => state === 'accepted')
        return sortMemories(accepted.map(({ body: _, ...line }) => line))
      }),
    find: (place, name) => database.read((queries) => named(queries, place, name)),
    put: (memory, at) => database.write((queries) => put(queries, memory, at)),
    edit: (id, text, at) => database.write((queries) => edit(queries, id, text, at)),
    propose: (memory, at) => database.write((queries) => propose(queries, memory, at)),
    remove: (id) => database.write((queries) => deleteMemory(queries, id)),
  }
}

async function page(queries: ReadQueries, query: MemoryQuery): Promise<Page<Memory>> {
  const { limit, cursor, scope, workspaceRoot } = query
  const values: unknown[] = []
  const conditions = ['1 = 1']
  if (cursor !== undefined) {
    conditions.push('id < ?')
    values.push(decodeIdCursor(cursor))
  }
  if (scope !== undefined) conditions.push(`workspace_root IS ${scope === 'user' ? 'NULL' : 'NOT NULL'}`)
  if (workspaceRoot !== undefined) {
    conditions.push('workspace_root = ?')
    values.push(workspaceRoot)
  }
  const where = `${conditions.join(' AND ')} ORDER BY id DESC LIMIT ?`
  const sql = `SELECT id FROM memories WHERE ${where}`
  const ids = await queries.$queryRawUnsafe<{ id: string }[]>(sql, ...values, limit + 1)
  // A page that loses a row that cannot be read is shorter, and not the last one.
  const items = await readMemories(queries, { where, values: [...values, limit] })
  return { items, nextCursor: ids.length > limit ? (ids[limit - 1]?.id ?? null) : null }
}

async function named(queries: ReadQueries, place: MemoryPlace, name: string): Promise<Memory | null> {
  const { where, values } = inPlace(place)
  const [found] = await readMemories(queries, { where: `${where} AND name = ?`, values: [...values, name] })
  return found ?? null
}

async function put(queries: RawQueries, memory: NewMemory, at: number): Promise<Memory> {
  const { workspaceRoot, name } = memory
  const known = await named(queries, workspaceRoot, name)
  if (known === null) {
    // A row that cannot be read may have the name.
    await deleteNamed(queries, workspaceRoot, name)
    if ((await countMemories(queries, workspaceRoot)) >= MEMORY_LIMITS.memories) {
      const message = `There are ${MEMORY_LIMITS.memories} memories already. Delete some first.`
      throw new AppError('RATE_LIMITED', message)
    }
  }
  return await write(queries, { memory, known, state: 'accepted', at })
}

async function edit(queries: RawQueries, id: string, text: MemoryText, at: number): Promise<Memory | null> {
  const [known] = await readMemories(queries, { where: 'id = ?', values: [id] })
  if (known === undefined) return null
  const other = await named(queries, known.workspaceRoot, text.name)
  if (other !== null && other.id !== id)
    throw new AppError('CONFLICT', 'Another memory has this name.', { field: 'name' })
  const edited: Memory = { ...known, ...text, state: 'accepted', updatedAt: at }
  await writeMemory(queries, edited)
  return edited
}

async function propose(queries: RawQueries, memory: NewMemory, at: number): Promise<Memory | null> {
  const { workspaceRoot, name } = memory
  const known = await named(queries, workspaceRoot, name)
  if (known?.state === 'accepted') return null
  if (known === null) {
    const all = await readMemories(queries, { ...inPlace(workspaceRoot), bodies: false })
    const open = all.filter(({ state }) => state === 'proposed').length
    if (open >= MEMORY_LIMITS.proposals || all.length >= MEMORY_LIMITS.memories) return null
    await deleteNamed(queries, workspaceRoot, name)
  }
  return await write(queries, { memory, known, state: 'proposed', at })
}

type Writing = { memory: NewMemory; known: Memory | null; state: Memory['state']; at: number }

async function write(queries: RawQueries, { memory, known, state, at }: Writing): Promise<Memory> {
  const scope = memory.workspaceRoot === null ? 'user' : 'project'
  const id = known?.id ?? createId('mem')
  const written: Memory = { ...memory, id, scope, state, createdAt: known?.createdAt ?? at, updatedAt: at }
  await writeMemory(queries, written)
  return written
}
