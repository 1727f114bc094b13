import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ModelInfo, ModelRef } from '../domain/model/model.ts'

/** A model ready to be called. */
export type OpenModel = {
  model: LanguageModelV4
  info: ModelInfo
  providerOptions: SharedV4ProviderOptions
  /** Removes the secrets of the model's connection from a text; absent where there are none. */
  redact?: (text: string) => string
}

/** The catalogue of models and the way to each. */
export interface Models {
  list(): Promise<ModelInfo[]>
  /** Null when no provider serves it. Providers that accept any id return unknown limits. */
  find(ref: ModelRef): Promise<ModelInfo | null>
  /** Fails with `MODEL_NOT_FOUND`. */
  open(ref: ModelRef): Promise<OpenModel>
  /** The default model of sessions. */
  defaultModel(): Promise<ModelRef>
  /** The cheap sibling at the same provider, or the model itself, in the variant with the least reasoning. */
  cheapSibling(ref: ModelRef): Promise<ModelRef>
}
