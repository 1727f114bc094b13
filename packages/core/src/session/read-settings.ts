import { isObject } from '../domain/json/stored-keys.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { AppSettings } from '../domain/model/provider.ts'
import type { Store } from '../ports/store.ts'

/** Reads the settings. What is not stored, or has another shape, has its default. */
export async function readSettings({ settings }: Pick<Store, 'settings'>): Promise<AppSettings> {
  const values = await settings.values()
  const instructions = values.get('instructions')
  return {
    defaultModel: toModelRef(values.get('defaultModel')),
    instructions:
      typeof instructions === 'string' ? instructions.slice(0, LIMITS.instructionsCharacters) : '',
    proposeMemories: values.get('proposeMemories') === true,
  }
}

function toModelRef(value: unknown): ModelRef | null {
  if (!isObject(value)) return null
  const { providerId, modelId, variant } = value
  if (typeof providerId !== 'string' || typeof modelId !== 'string') return null
  return { providerId, modelId, ...(typeof variant === 'string' && { variant }) }
}
