import type { ListedModel, ProviderKind } from '../domain/model/provider.ts'

/** A provider that a person entered. */
export type ProviderRow = {
  id: string
  kind: ProviderKind
  /** Null shows the id. */
  label: string | null
  /** Null for the provider's own address. */
  baseURL: string | null
  /** Encrypted; null without a key. */
  sealedKey: string | null
  /** Ids that a person chose. */
  models: string[]
  /** What the provider's list of models named last. */
  listed: ListedModel[]
}

/** Stores settings and the providers that a person entered: a few rows, read whole. */
export interface SettingsStore {
  /** The JSON value under each key. A value that cannot be read is left out. */
  values(): Promise<ReadonlyMap<string, unknown>>
  /** Writes these values in one transaction; null removes one. */
  setValues(values: ReadonlyMap<string, unknown>, at: number): Promise<void>
  /** In the order in which they were first entered. A row that cannot be read is left out. */
  providers(): Promise<ProviderRow[]>
  /** Inserts a provider, or replaces the one with its id. */
  putProvider(row: ProviderRow, at: number): Promise<void>
  /** False when there is none with this id. */
  removeProvider(id: string): Promise<boolean>
}
