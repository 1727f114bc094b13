import { AppError } from '../../domain/errors.ts'
import type { ArchiveReport } from '../../domain/export/archive-report.ts'
import { isObject } from '../../domain/json/stored-keys.ts'
import type { ModelRef } from '../../domain/model/model.ts'
import type { AppSettings } from '../../domain/model/provider.ts'
import type { Store } from '../../ports/index.ts'
import type { ArchiveEntry, NewHash } from './archive-format.ts'
import { type ReadPorts, readArchive } from './read-archive.ts'
import { type WritePorts, writeArchive } from './write-archive.ts'

/** Carries everything out and in: sessions, their files, and settings without keys. */
export interface ArchiveService {
  /** The entries, of which each is read whole before the next one. */
  write(newHash: NewHash): AsyncGenerator<ArchiveEntry>
  /**
   * Imports entries in their order. `settings` takes the instructions and the default model too. One import at a time:
   * `CONFLICT`. `INVALID_INPUT` for what is no archive. An iteration that fails with `BrokenArchive` ends the import.
   */
  read(
    entries: AsyncIterable<ArchiveEntry>,
    options: { settings: boolean; newHash: NewHash },
  ): Promise<ArchiveReport>
}

type SettingsAccess = {
  get(): Promise<AppSettings>
  set(patch: Partial<AppSettings>): Promise<AppSettings>
}

type Ports = WritePorts & ReadPorts & { store: Pick<Store, 'history' | 'settings'> }

export function createArchive(ports: Ports, settings: SettingsAccess): ArchiveService {
  let isReading = false

  /** A default model that this host does not have is left out. */
  async function takeSettings(value: unknown): Promise<void> {
    const { instructions, defaultModel } = isObject(value) ? value : {}
    if (typeof instructions === 'string' && instructions !== '') await settings.set({ instructions })
    if (!isModel(defaultModel)) return
    await settings.set({ defaultModel }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code === 'STORE_ERROR') throw error
    })
  }

  return {
    async *write(newHash) {
      const known = await settings.get()
      const providers = (await ports.store.settings.providers()).map(
        ({ id, kind, label, baseURL, models }) => ({ id, kind, label, baseURL, models }),
      )
      yield* writeArchive(ports, { ...known, providers }, newHash)
    },
    async read(entries, options) {
      if (isReading) throw new AppError('CONFLICT', 'Another archive is being imported.')
      isReading = true
      try {
        return await readArchive(ports, entries, options.settings ? takeSettings : null, options.newHash)
      } finally {
        isReading = false
      }
    },
  }
}

function isModel(value: unknown): value is ModelRef {
  return isObject(value) && typeof value['providerId'] === 'string' && typeof value['modelId'] === 'string'
}
