import {
  type CorePorts,
  createMemoryLiveStreams,
  createMemorySessionEvents,
  systemClock,
} from '@palimpsest/core'
import {
  createLabModels,
  createLabProviders,
  createMemoryBlobs,
  createMemoryVault,
  createMemoryWorkspaces,
  silentLogger,
} from '@palimpsest/testing'
import { workspaceFiles } from '../testing/nothing-protected.ts'

export const MODEL = { providerId: 'lab', modelId: 'm1' }
export const SAYS = { parts: [{ type: 'text' as const, text: 'Go' }] }
export const SETTINGS = { platform: 'test', gitStatus: () => Promise.resolve(null) }

/** The ports of a host in this process that works on a store and asks a scripted provider. */
export function portsOn(store: CorePorts['store'], baseURL: string): CorePorts {
  return {
    store,
    blobs: createMemoryBlobs(systemClock),
    live: createMemoryLiveStreams({ clock: systemClock }),
    events: createMemorySessionEvents({ logger: silentLogger }),
    models: createLabModels(baseURL),
    providers: createLabProviders(),
    vault: createMemoryVault(),
    clock: systemClock,
    logger: silentLogger,
    files: workspaceFiles,
    workspaces: createMemoryWorkspaces(),
    random: () => 0.5,
  }
}
