import type { SettingsStore } from '@palimpsest/core/ports'
import { atomically, copy, type MemoryTables } from './tables.ts'

export function createMemorySettings(tables: MemoryTables): SettingsStore {
  const { settings, providers } = tables
  return {
    values: () => Promise.resolve(new Map(copy([...settings]))),
    setValues: (values) =>
      atomically(() => {
        for (const [key, value] of values) {
          if (value === null) settings.delete(key)
          else settings.set(key, copy(value))
        }
      }),
    providers: () => atomically(() => [...providers.values()]),
    putProvider: (row) => atomically(() => void providers.set(row.id, copy(row))),
    removeProvider: (id) => atomically(() => providers.delete(id)),
  }
}
