import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ModelRef } from '../domain/model/model.ts'
import type { AppSettings } from '../domain/model/provider.ts'
import { checkModel } from '../history/check-input.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { Models } from '../ports/models.ts'
import type { Background } from '../state/background.ts'
import { modelsInUse } from './models-in-use.ts'
import { createProviderService } from './provider-service.ts'
import type { SessionService } from './service.ts'
import { createSettingsState } from './settings-state.ts'

export type Settings = Pick<SessionService, 'settings' | 'providers'> & {
  /** The host's models together with those of entered providers. */
  readonly models: Models
  /** The person's instructions for every session; empty without any. */
  instructions(): Promise<string>
  chosenModel(): Promise<ModelRef | null>
  proposesMemories(): Promise<boolean>
}

/** Settings, entered providers, and what both change for sessions. */
export function createSettings(ports: CorePorts & { background: Background }): Settings {
  const { store, clock } = ports
  const state = createSettingsState(ports)
  const { readStaleLists, ...providers } = createProviderService(ports, state)
  const models = modelsInUse(ports.models, state.inUse)

  async function get(): Promise<AppSettings> {
    const { defaultModel, instructions, proposeMemories } = await state.inUse()
    return { defaultModel, instructions, proposeMemories }
  }

  return {
    models: {
      ...models,
      list() {
        readStaleLists()
        return models.list()
      },
    },
    instructions: async () => (await state.inUse()).instructions,
    chosenModel: async () => (await state.inUse()).defaultModel,
    proposesMemories: async () => (await state.inUse()).proposeMemories,
    providers,
    settings: {
      get,
      async set(patch) {
        const { defaultModel = null, instructions = '', proposeMemories = false } = patch
        if (defaultModel !== null) await checkModel(defaultModel, models)
        checkInstructions(instructions)
        const all = new Map<string, unknown>([
          ['defaultModel', defaultModel],
          ['instructions', instructions === '' ? null : instructions],
          ['proposeMemories', proposeMemories || null],
        ])
        const given = new Map([...all].filter(([key]) => key in patch))
        await state.change(() => store.settings.setValues(given, clock.now()))
        return await get()
      },
    },
  }
}

function checkInstructions(instructions: string): void {
  if (instructions.length <= LIMITS.instructionsCharacters) return
  const message = `Instructions have at most ${LIMITS.instructionsCharacters} characters.`
  throw new AppError('INVALID_INPUT', message, { field: 'instructions' })
}
