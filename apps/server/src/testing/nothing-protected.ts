import type { Guard } from '../adapters/bash/inspect-workspace.ts'
import type { WritingCommands } from '../adapters/bash/writing-commands.ts'
import { createWorkspaceFiles } from '../adapters/files/workspace-files.ts'
import type { ProtectedPlaces } from '../adapters/places/protected-places.ts'

/** The places of a test whose server keeps nothing on the disk. */
export const NOTHING_PROTECTED: ProtectedPlaces = {
  paths: [],
  covers: () => false,
  isLinkedTo: () => Promise.resolve(false),
  fileWithOtherName: () => Promise.resolve(null),
  haveOtherNames: () => Promise.resolve(false),
  mayBeBelow: () => Promise.resolve(false),
}

export const NO_GUARD: Guard = { places: NOTHING_PROTECTED, isBoxed: () => false }

/** The commands of a test that leaves no records of them. */
export const NO_RECORDS: WritingCommands = {
  running: () => [],
  add: async () => ({ forget: async () => undefined, drop: () => undefined }),
  isMade: () => false,
  settleEarlier: async () => [],
}

export const workspaceFiles = createWorkspaceFiles(NOTHING_PROTECTED)
