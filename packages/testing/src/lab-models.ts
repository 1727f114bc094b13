import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AppError, type ModelInfo } from '@palimpsest/core/domain'
import type { Models } from '@palimpsest/core/ports'

export const LAB_MODEL = { providerId: 'lab', modelId: 'm1' } as const

/** What is otherwise of the models, or of each by its id. */
export type LabModelInfo = Partial<ModelInfo> | ((modelId: string) => Partial<ModelInfo>)

/** A catalogue of one provider, `lab`, that accepts any model id and calls the server at `baseURL`. */
export function createLabModels(baseURL: string, info: LabModelInfo = {}): Models {
  const provider = createOpenAICompatible({ name: 'lab', baseURL, includeUsage: true })
  const describe = (modelId: string): ModelInfo => ({
    providerId: 'lab',
    providerLabel: 'Lab',
    modelId,
    label: modelId,
    contextLimit: 128_000,
    maxOutput: 1_024,
    prices: { input: null, output: null, cacheRead: null, cacheWrite: null },
    inputs: ['text'],
    tools: true,
    reasoning: false,
    variants: [],
    cheap: false,
    demo: false,
    ...(typeof info === 'function' ? info(modelId) : info),
  })
  return {
    list: () => Promise.resolve([describe(LAB_MODEL.modelId)]),
    find: ({ providerId, modelId }) => Promise.resolve(providerId === 'lab' ? describe(modelId) : null),
    open({ providerId, modelId }) {
      if (providerId !== 'lab')
        return Promise.reject(new AppError('MODEL_NOT_FOUND', 'There is no such model.'))
      return Promise.resolve({ model: provider(modelId), info: describe(modelId), providerOptions: {} })
    },
    defaultModel: () => Promise.resolve(LAB_MODEL),
    cheapSibling: (ref) => Promise.resolve(ref),
  }
}
