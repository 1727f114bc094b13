import type { Guard } from '../adapters/bash/inspect-workspace.ts'
import { createWorkspaceFiles } from '../adapters/files/workspace-files.ts'
import type { ProtectedPlaces } from '../adapters/places/protected-places.ts'

/** The places of a test whose server keeps nothing on the disk. */
export const NOTHING_PROTECTED: ProtectedPlaces = {
  paths: [],
  covers: () => false,
  isLinkedTo: () => Promise.resolve(false),
  haveOtherNames: () => Promise.resolve(false),
  mayBeBelow: () => Promise.resolve(false),
}

export const NO_GUARD: Guard = { places: NOTHING_PROTECTED, isBoxed: () => false }

export const workspaceFiles = createWorkspaceFiles(NOTHING_PROTECTED)
