import { AppError } from '../../domain/errors.ts'
import type { Requirement } from '../../domain/permission/permission.ts'
import { ToolError, type ToolPlace } from '../tool.ts'

const NOT_ALLOWED =
  'The folder of this chat is not allowed by the operator of this server, or is gone. Its files cannot be reached.'

/** The real path of the workspace. */
export function rootOf({ workspaceRoot }: ToolPlace): string {
  if (workspaceRoot === null) throw new ToolError(NOT_ALLOWED)
  return workspaceRoot
}

/** The permission to read a path: that of the file itself, wherever links lead. */
export async function requireReading(path: string, place: ToolPlace): Promise<Requirement[]> {
  return [{ permission: 'read', pattern: await inFiles(place.files.locate(rootOf(place), path)) }]
}

/** What the workspace's files answer; why they refuse is an error for the model. */
export async function inFiles<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw error instanceof AppError && error.code !== 'INTERNAL' ? new ToolError(error.message) : error
  }
}
