import { AppError } from '../domain/errors.ts'
import { checkedMemory, type Memory } from '../domain/settings/memory.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { MemoryPlace } from '../ports/index.ts'
import type { SessionService, WriteMemory } from './service.ts'

/** What a person does with memories. */
export function createMemories({ store, clock, workspaces }: CorePorts): SessionService['memories'] {
  const { memories } = store

  /** The place of a new memory. A project's names its folder; without one it is that of sessions that name none. */
  async function placeOf({ scope, workspaceRoot }: WriteMemory): Promise<MemoryPlace> {
    if (scope === 'user') return null
    const named = workspaceRoot ?? workspaces.defaultFolder
    const root = named === null ? null : await workspaces.resolve(named)
    if (root !== null) return root
    const message = 'This folder is not one that the operator allows.'
    throw new AppError('INVALID_INPUT', message, { field: 'workspaceRoot' })
  }

  async function edit(id: string, text: WriteMemory): Promise<Memory> {
    const edited = await memories.edit(id, checkedMemory(text), clock.now())
    if (edited === null) throw new AppError('INVALID_INPUT', 'There is no such memory.', { field: 'id' })
    return edited
  }

  return {
    list: ({ limit = 50, ...query }) => memories.page({ limit, ...query }),
    async write(input) {
      if (input.id !== undefined) return await edit(input.id, input)
      const text = checkedMemory(input)
      const workspaceRoot = await placeOf(input)
      const known = await memories.find(workspaceRoot, text.name)
      return await memories.put({ ...text, workspaceRoot, origin: known?.origin ?? null }, clock.now())
    },
    delete: (id) => memories.remove(id),
  }
}
