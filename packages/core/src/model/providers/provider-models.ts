import { AppError } from '../../domain/errors.ts'
import type { ModelInfo, ModelRef } from '../../domain/model/model.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Models, OpenModel } from '../../ports/models.ts'
import { createOllamaWindows, isOllama, type OllamaWindows } from './ollama-windows.ts'
import { openModel } from './open-model.ts'
import { findModel, type Provider, toModelInfo } from './provider.ts'
import { providerOptions } from './provider-options.ts'

/** The models of these providers and no others. */
export function createProviderModels(providers: readonly Provider[], clock: Clock): Models {
  const providerOf = (ref: ModelRef) =>
    providers.find(({ connection }) => connection.providerId === ref.providerId)
  const ollama = createOllamaWindows(clock)
  return {
    list: () => Promise.resolve(providers.flatMap(infosOf)),
    async find(ref) {
      const provider = providerOf(ref)
      const info = provider === undefined ? null : infoOf(provider, ref)
      return info === null || provider === undefined ? null : await ollama.applyTo(info, provider.connection)
    },
    async open(ref) {
      return await openWithWindow(providerOf(ref), ref, { clock, ollama })
    },
    async defaultModel() {
      const start = providers.map(firstModel).find((model) => model !== null)
      if (start != null) return start
      throw new AppError('MODEL_NOT_FOUND', 'No model is set up. Set an API key or configure a provider.')
    },
    async cheapSibling(ref) {
      const provider = providerOf(ref)
      return cheapSibling(ref, provider ? infosOf(provider) : [], provider ? infoOf(provider, ref) : null)
    },
  }
}

/** Opens a model like `openProviderModel`; one of an Ollama server with the window that it has there. */
export async function openWithWindow(
  provider: Provider | undefined,
  ref: ModelRef,
  { clock, ollama }: { clock: Clock; ollama: OllamaWindows },
): Promise<OpenModel> {
  const open = openProviderModel(provider, ref, clock)
  if (provider === undefined || open.info.contextLimit !== null || !isOllama(provider.connection)) return open
  return { ...open, info: await ollama.applyTo(open.info, provider.connection) }
}

/** Opens a model of a provider. `MODEL_NOT_FOUND` when there is no such provider, model or variant. */
function openProviderModel(provider: Provider | undefined, ref: ModelRef, clock: Clock): OpenModel {
  const known = provider && findModel(provider, ref.modelId)
  if (!known) throw notFound(ref)
  const info = toModelInfo(provider, known)
  if (ref.variant !== undefined && !info.variants.some(({ id }) => id === ref.variant))
    throw noVariant(info, ref.variant)
  const options = providerOptions(provider.connection.kind, known.thinking, ref.variant)
  return { ...openModel(provider.connection, ref.modelId, clock), info, providerOptions: options }
}

export function infosOf(provider: Provider): ModelInfo[] {
  return provider.models.map((model) => toModelInfo(provider, model))
}

export function infoOf(provider: Provider, { modelId }: ModelRef): ModelInfo | null {
  const known = findModel(provider, modelId)
  return known && toModelInfo(provider, known)
}

/** The first model that a provider lists; null when it lists none. */
export function firstModel({ connection, models }: Provider): ModelRef | null {
  const [first] = models
  return first === undefined ? null : { providerId: connection.providerId, modelId: first.modelId }
}

/** Variants for work without reasoning, which would use up the few tokens that such calls may write. */
const LITTLE_THOUGHT = ['none', 'minimal', 'low']

/** The cheap one of `offered`, else the model itself, in the variant with the least reasoning. */
export function cheapSibling(ref: ModelRef, offered: readonly ModelInfo[], own: ModelInfo | null): ModelRef {
  const cheap = offered.find((model) => model.cheap) ?? own
  const variant = cheap?.variants.find(({ id }) => LITTLE_THOUGHT.includes(id))
  return {
    providerId: ref.providerId,
    modelId: cheap?.modelId ?? ref.modelId,
    ...(variant && { variant: variant.id }),
  }
}

function notFound({ providerId, modelId }: ModelRef): AppError {
  return new AppError('MODEL_NOT_FOUND', `There is no model ${modelId} at provider ${providerId}.`, {
    field: 'model',
  })
}

function noVariant(info: ModelInfo, variant: string): AppError {
  const known = info.variants.map(({ id }) => id).join(', ') || 'none'
  const message = `${info.label} has no variant ${variant}; it has: ${known}.`
  return new AppError('MODEL_NOT_FOUND', message, { field: 'model.variant' })
}
