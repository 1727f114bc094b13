import type { ListedModel, ProviderKind, ProviderView } from '../domain/model/provider.ts'
import type { Models } from './models.ts'

/** How to reach a provider that a person entered. */
export type EnteredConnection = {
  id: string
  kind: ProviderKind
  /** Null for the provider's own address. */
  baseURL: string | null
  apiKey: string | null
}

export type EnteredProvider = EnteredConnection & {
  label: string
  models: readonly string[]
  listed: readonly ListedModel[]
}

export type Listing = { ok: true; models: ListedModel[] } | { ok: false; message: string }

/** The providers of the host: those that its environment and configuration file set, and the way to reach others. */
export interface Providers {
  /** Set by the environment or the file. They take precedence over entered ones with the same id. */
  readonly preset: readonly ProviderView[]
  /** A catalogue of these providers alone. Models that it opened stay usable when another catalogue takes its place. */
  catalogue(entered: readonly EnteredProvider[]): Models
  /**
   * Reads the list of models of a provider, of a preset one by its id. Ends within 10 s; a failure is in the provider's words,
   * without its secrets. Does not reject.
   */
  listModels(provider: EnteredConnection | { preset: string }, signal?: AbortSignal): Promise<Listing>
  /** Removes these secrets from everything that the host logs from now on. */
  redactFromLogs(secrets: readonly string[]): void
}
