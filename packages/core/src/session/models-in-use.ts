import { AppError } from '../domain/errors.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { Models } from '../ports/models.ts'
import type { InUse } from './settings-state.ts'

/** The models of the host together with those of entered providers, as they are at each call. */
export function modelsInUse(host: Models, inUse: () => Promise<InUse>): Models {
  async function ownerOf({ providerId }: ModelRef): Promise<Models> {
    const { all, catalogue } = await inUse()
    const entered = all.find(({ row }) => row.id === providerId)
    if (entered?.problem === 'key-unreadable') return unreadable(entered.row.label ?? entered.row.id)
    return entered === undefined || entered.problem === 'overridden' ? host : catalogue
  }

  return {
    async list() {
      const { catalogue } = await inUse()
      const [own, entered] = await Promise.all([host.list(), catalogue.list()])
      return [...own.filter(({ demo }) => !demo), ...entered, ...own.filter(({ demo }) => demo)]
    },
    find: async (ref) => await (await ownerOf(ref)).find(ref),
    open: async (ref) => await (await ownerOf(ref)).open(ref),
    cheapSibling: async (ref) => await (await ownerOf(ref)).cheapSibling(ref),

    /** The chosen one while it is there; a demo comes last. */
    async defaultModel() {
      const { catalogue, defaultModel } = await inUse()
      if (defaultModel !== null && (await (await ownerOf(defaultModel)).find(defaultModel)) !== null)
        return defaultModel
      const own = await host.defaultModel().catch(() => null)
      if (own !== null && (await host.find(own))?.demo !== true) return own
      const entered = await catalogue.defaultModel().catch(() => null)
      return entered ?? own ?? (await host.defaultModel())
    },
  }
}

/** A provider whose key cannot be decrypted: it has no models, and says why. */
function unreadable(label: string): Models {
  const message = `The stored key of ${label} can’t be read. Enter it again in the settings.`
  const refuse = () => Promise.reject(new AppError('MODEL_NOT_FOUND', message, { field: 'model' }))
  return {
    list: () => Promise.resolve([]),
    find: () => Promise.resolve(null),
    open: refuse,
    defaultModel: refuse,
    cheapSibling: (ref) => Promise.resolve(ref),
  }
}
