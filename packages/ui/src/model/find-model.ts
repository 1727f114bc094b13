import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'

/** The catalogue's entry of a model, whatever the variant. */
export function findModel(models: readonly ModelInfo[], ref: ModelRef | undefined): ModelInfo | undefined {
  return models.find((model) => model.providerId === ref?.providerId && model.modelId === ref.modelId)
}

/** A model's name; of one that the catalogue lacks, its id. */
export function modelLabel(models: readonly ModelInfo[], ref: ModelRef | undefined): string | undefined {
  return findModel(models, ref)?.label ?? ref?.modelId
}
