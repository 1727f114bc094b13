import { AppError } from '@palimpsest/core/domain'
import type { Models, Providers } from '@palimpsest/core/ports'

/** A host that sets no provider and reaches none: what is entered is stored, and brings no model. */
export function createLabProviders(): Providers {
  return {
    preset: [],
    catalogue: () => NO_MODELS,
    listModels: () => Promise.resolve({ ok: false, message: 'There is no network here.' }),
    redactFromLogs: () => undefined,
  }
}

const missing = () => Promise.reject(new AppError('MODEL_NOT_FOUND', 'There is no such model.'))

const NO_MODELS: Models = {
  list: () => Promise.resolve([]),
  find: () => Promise.resolve(null),
  open: missing,
  defaultModel: missing,
  cheapSibling: (ref) => Promise.resolve(ref),
}
