import type { ModelRef } from './model.ts'

/** The APIs that a provider may implement. */
export const PROVIDER_KINDS = ['openai', 'openai-compatible', 'anthropic', 'google'] as const
export type ProviderKind = (typeof PROVIDER_KINDS)[number]

/** Ids of the demo and of servers on this machine, which no other provider can have. */
export const RESERVED_PROVIDER_IDS: readonly string[] = ['demo', 'ollama', 'lmstudio', 'llamacpp']

export const PROVIDER_ID = /^[a-z0-9][a-z0-9._-]{0,39}$/

/** What an API key may hold: one line of characters that a header can carry. */
export const API_KEY = /^[\x20-\x7e\xa0-\xff]*$/

/** A model that a provider's list of models names. */
export type ListedModel = {
  modelId: string
  /** Tokens of a prompt and its reply together, where the list says it. */
  contextLimit?: number
}

/** Where a provider is set. Only those of `settings` can be changed in the page. */
export type ProviderSource = 'environment' | 'file' | 'settings'

/**
 * Why a provider is not used: its variable is not set, its stored key cannot be decrypted, or the environment or the file sets
 * another one under its id.
 */
export type ProviderProblem = 'key-missing' | 'key-unreadable' | 'overridden'

/** A provider as clients see it: with everything but its key. */
export type ProviderView = {
  id: string
  kind: ProviderKind
  label: string
  /** Without credentials and query; null for the provider's own address. */
  baseURL: string | null
  hasKey: boolean
  source: ProviderSource
  /** Ids that a person chose or configured; they come first in the picker. */
  models: string[]
  /** Ids that the provider's list of models named when it was last read. */
  listed: string[]
  problem: ProviderProblem | null
}

/** The answer of a provider's list of models; `message` is in the provider's own words, without its secrets. */
export type ProviderTest = { ok: true; models: string[] } | { ok: false; message: string }

/** Settings that apply to every session of this server. */
export type AppSettings = {
  /** The model of new sessions; null for the first one that is available. */
  defaultModel: ModelRef | null
  /** Instructions of the person for every session; part of each system prompt. */
  instructions: string
  /** Whether a model may propose memories after a turn; a person decides about each. */
  proposeMemories: boolean
}
