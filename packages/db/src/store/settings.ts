import type { SettingsStore } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import { putProvider, readProviders, readValues, removeProvider, writeValues } from '../sql/setting-rows.ts'

export function createSettingsStore(database: Database): SettingsStore {
  return {
    values: () => database.read(readValues),
    setValues: (values, at) => database.write((queries) => writeValues(queries, values, at)),
    providers: () => database.read(readProviders),
    putProvider: (row, at) => database.write((queries) => putProvider(queries, row, at)),
    removeProvider: (id) => database.write((queries) => removeProvider(queries, id)),
  }
}
