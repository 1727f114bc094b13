import { AppError } from '@palimpsest/core/domain'
import type { Workspaces } from '@palimpsest/core/ports'
import type { ProtectedPlaces } from './protected-places.ts'

/** The same workspaces without the folders of the server. `INVALID_INPUT` when the operator allows one of these. */
export function outsidePlaces(workspaces: Workspaces, places: ProtectedPlaces): Workspaces {
  const own = workspaces.folders.find(places.covers)
  if (own !== undefined)
    throw new AppError('INVALID_INPUT', `${own} holds what the server keeps, and is no folder for chats.`, {
      field: 'workspaces',
    })
  return {
    ...workspaces,
    async resolve(path) {
      const real = await workspaces.resolve(path)
      return real === null || places.covers(real) ? null : real
    },
  }
}
