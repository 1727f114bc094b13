import type { LanguageModelV4 } from '@ai-sdk/provider'

/** The format and the rules of the provider that a request goes to. */
export type ProviderFamily =
  | 'anthropic'
  | 'openai-chat'
  | 'openai-responses'
  | 'google'
  | 'mistral'
  /** Any other server with OpenAI's chat format. */
  | 'compatible'

/** The names that the provider packages give to their models. */
const PACKAGES: ReadonlyMap<string, ProviderFamily> = new Map([
  ['anthropic.messages', 'anthropic'],
  ['openai.chat', 'openai-chat'],
  ['openai.responses', 'openai-responses'],
  ['google.generative-ai', 'google'],
])

/** Mistral's models on any server: their chat templates carry the rules. */
const MISTRAL = /mistral|mixtral|codestral|devstral|ministral|magistral|pixtral|voxtral/i

export function familyOf({
  provider,
  modelId,
}: Pick<LanguageModelV4, 'provider' | 'modelId'>): ProviderFamily {
  const family = PACKAGES.get(provider)
  if (family !== undefined) return family
  return MISTRAL.test(provider) || MISTRAL.test(modelId) ? 'mistral' : 'compatible'
}
