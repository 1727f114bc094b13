import type { ModelInfo } from '../../domain/model/model.ts'
import { type KnownModel, UNKNOWN_PRICES } from '../catalogue/known-model.ts'
import { variantsOf } from '../catalogue/variants.ts'
import type { ModelSettings } from '../provider-config.ts'
import type { Connection } from './open-model.ts'

/** A provider that can be called: how, and with which models. */
export type Provider = {
  label: string
  connection: Connection
  /** The first is the one to start with. */
  models: readonly KnownModel[]
  /** What is known of a model that is not listed; null takes listed ones only. */
  unlisted: ModelSettings | null
}

/** The model under this id; null when the provider does not take it. */
export function findModel(provider: Provider, modelId: string): KnownModel | null {
  const listed = provider.models.find((model) => model.modelId === modelId)
  if (listed) return listed
  return provider.unlisted === null ? null : withSettings(unknownModel(modelId), provider.unlisted)
}

/** A model of which nothing is known but its id. Tools are assumed: a server that has none says so. */
export function unknownModel(modelId: string): KnownModel {
  return {
    modelId,
    label: modelId,
    contextLimit: null,
    maxOutput: null,
    prices: UNKNOWN_PRICES,
    inputs: ['text', 'image'],
    tools: true,
    thinking: null,
    cheap: false,
  }
}

/** The model with what the configuration says of it. */
export function withSettings(model: KnownModel, settings: ModelSettings): KnownModel {
  const { prices } = model
  return {
    modelId: model.modelId,
    label: settings.label ?? model.label,
    contextLimit: settings.contextLimit ?? model.contextLimit,
    maxOutput: settings.maxOutput ?? model.maxOutput,
    prices: {
      input: settings.inputPrice ?? prices.input,
      output: settings.outputPrice ?? prices.output,
      cacheRead: settings.cacheReadPrice ?? prices.cacheRead,
      cacheWrite: settings.cacheWritePrice ?? prices.cacheWrite,
    },
    inputs: settings.inputs ? [...new Set(['text' as const, ...settings.inputs])] : model.inputs,
    tools: settings.tools ?? model.tools,
    thinking: settings.variants ? { style: 'effort', levels: settings.variants } : model.thinking,
    cheap: settings.cheap ?? model.cheap,
  }
}

export function toModelInfo({ label, connection }: Provider, model: KnownModel): ModelInfo {
  const { thinking, ...known } = model
  return {
    ...known,
    providerId: connection.providerId,
    providerLabel: label,
    reasoning: thinking !== null,
    variants: variantsOf(thinking),
    demo: false,
  }
}
