import type { JsonObject } from '../json/json.ts'
import { sameModel } from '../model/model.ts'
import type { Session } from './session.ts'

type Content = Pick<
  Session,
  'title' | 'agent' | 'workspaceRoot' | 'model' | 'parentId' | 'parentMessageId' | 'metadata'
> & { permissions?: readonly JsonObject[] }

/**
 * True when making `wanted` would make the row that is there already, so that a repeated call is answered with it.
 * Once the row has changed, only what never changes is compared.
 */
export function repeatsCreation(row: Content & { revision: number }, wanted: Content): boolean {
  // A session without a folder may have got one since.
  const sameFolder =
    row.workspaceRoot === wanted.workspaceRoot || (row.revision > 0 && wanted.workspaceRoot === null)
  const sameOrigin =
    row.agent === wanted.agent &&
    sameFolder &&
    row.parentId === wanted.parentId &&
    row.parentMessageId === wanted.parentMessageId
  if (row.revision > 0) return sameOrigin
  return (
    sameOrigin &&
    row.title === wanted.title &&
    sameModel(row.model, wanted.model) &&
    JSON.stringify(row.metadata) === JSON.stringify(wanted.metadata) &&
    JSON.stringify(row.permissions ?? []) === JSON.stringify(wanted.permissions ?? [])
  )
}
