import type { ProviderKind } from '../../domain/model/provider.ts'
import { ANTHROPIC_MODELS } from './anthropic-models.ts'
import { GOOGLE_MODELS } from './google-models.ts'
import type { KnownModel } from './known-model.ts'
import { OPENAI_MODELS } from './openai-models.ts'

/** The models that the catalogue lists by name, by kind of provider; the first of each is the default. */
export const CATALOGUE: Readonly<Record<ProviderKind, readonly KnownModel[]>> = {
  openai: OPENAI_MODELS,
  'openai-compatible': [],
  anthropic: ANTHROPIC_MODELS,
  google: GOOGLE_MODELS,
}
