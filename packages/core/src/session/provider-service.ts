import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import type { ProviderTest } from '../domain/model/provider.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { Listing } from '../ports/providers.ts'
import type { ProviderRow } from '../ports/settings.ts'
import type { Background } from '../state/background.ts'
import { checkAddress, checkKeyIsThere, checkNames, checkProviderId, sameAddress } from './check-provider.ts'
import { type Entered, purposeOf, toView } from './entered-providers.ts'
import type { ProviderAddress, PutProvider, SessionService } from './service.ts'
import type { SettingsState } from './settings-state.ts'

/** Milliseconds after which the lists of entered providers are read again. */
const FRESH_MS = 5 * 60_000

export type ProviderService = SessionService['providers'] & {
  /** Reads the lists of entered providers again in the background, at most every 5 minutes. */
  readStaleLists(): void
}

/** Enters, tests and removes providers. */
export function createProviderService(
  ports: CorePorts & { background: Background },
  { inUse, change }: SettingsState,
): ProviderService {
  const { store, vault, providers, clock, background } = ports
  let listsReadAt: number | null = null

  async function enteredOf(id: string): Promise<Entered> {
    const entered = (await inUse()).all.find(({ row }) => row.id === id)
    if (entered === undefined)
      throw new AppError('MODEL_NOT_FOUND', `There is no provider ${id}.`, { field: 'id' })
    return entered
  }

  async function write(input: PutProvider, all: readonly Entered[]): Promise<void> {
    const { id } = input
    checkProviderId(id, providers.preset)
    const stored = all.find(({ row }) => row.id === id)?.row ?? null
    if (stored === null && all.length >= LIMITS.providers)
      throw new AppError('INVALID_INPUT', `There can be at most ${LIMITS.providers} providers.`, {
        field: 'id',
      })
    const names = checkNames(input)
    const address = checkAddress(input)
    checkKeyIsThere(address, stored)
    const { kind, baseURL } = address
    const listed = stored !== null && sameAddress(stored, address) ? stored.listed : []
    const sealedKey = await sealed(id, address, stored)
    await store.settings.putProvider({ id, kind, baseURL, sealedKey, listed, ...names }, clock.now())
  }

  async function sealed(
    id: string,
    { kind, baseURL, apiKey }: ReturnType<typeof checkAddress>,
    stored: ProviderRow | null,
  ): Promise<string | null> {
    if (apiKey === undefined) return stored?.sealedKey ?? null
    if (apiKey === null) return null
    providers.redactFromLogs([apiKey])
    return await vault.seal(apiKey, purposeOf({ id, kind, baseURL }))
  }

  /** Reads the list of an entered provider, and stores it unless the provider was changed meanwhile. */
  async function readList({ row, provider, problem }: Entered, signal?: AbortSignal): Promise<Listing> {
    if (provider === null) return { ok: false, message: PROBLEMS[problem ?? 'key-unreadable'] }
    const listing = await providers.listModels(provider, signal)
    if (listing.ok && !sameList(row.listed, listing.models))
      await change(({ all }) => storeList(row, listing.models, all))
    return listing
  }

  async function storeList(
    read: ProviderRow,
    listed: ProviderRow['listed'],
    all: readonly Entered[],
  ): Promise<void> {
    const row = all.find((one) => one.row.id === read.id)?.row
    if (row === undefined || row.sealedKey !== read.sealedKey || !sameAddress(row, read)) return
    await store.settings.putProvider({ ...row, listed }, clock.now())
  }

  async function testStored(id: string): Promise<Listing> {
    const isPreset = providers.preset.some((preset) => preset.id === id)
    return await (isPreset ? providers.listModels({ preset: id }) : readList(await enteredOf(id)))
  }

  /** One that is not stored. With the id of a stored one it is tested with that one's key, at that one's address only. */
  async function testDraft(id: string | undefined, draft: ProviderAddress): Promise<Listing> {
    if (id !== undefined) checkProviderId(id, providers.preset)
    const stored = (await inUse()).all.find(({ row }) => row.id === id)
    const address = checkAddress(draft)
    checkKeyIsThere(address, stored?.row ?? null)
    const { kind, baseURL } = address
    const apiKey = address.apiKey === undefined ? (stored?.provider?.apiKey ?? null) : address.apiKey
    if (apiKey !== null) providers.redactFromLogs([apiKey])
    return await providers.listModels({ id: id ?? 'new', kind, baseURL, apiKey })
  }

  return {
    async list() {
      const { all } = await inUse()
      return [...providers.preset, ...all.map(toView)]
    },
    async put(input) {
      await change(({ all }) => write(input, all))
      const test = toTest(await readList(await enteredOf(input.id)))
      return { ...toView(await enteredOf(input.id)), test }
    },
    async test({ id, kind, ...rest }) {
      if (kind !== undefined) return toTest(await testDraft(id, { kind, ...rest }))
      if (id !== undefined) return toTest(await testStored(id))
      throw new AppError('INVALID_INPUT', 'A test takes the id of a provider, or its kind and address.', {
        field: 'id',
      })
    },
    async remove(id) {
      await change(async () => {
        if (await store.settings.removeProvider(id)) return
        checkProviderId(id, providers.preset)
        await enteredOf(id)
      })
    },
    readStaleLists() {
      if (listsReadAt !== null && clock.now() - listsReadAt < FRESH_MS) return
      listsReadAt = clock.now()
      background.start('model-lists', async (signal) => {
        const { all } = await inUse()
        await Promise.all(all.filter(({ provider }) => provider).map((entered) => readList(entered, signal)))
      })
    },
  }
}

const PROBLEMS = {
  'key-missing': 'The key of this provider is not set.',
  'key-unreadable': 'The stored key can’t be read. Enter it again.',
  overridden: 'The environment or the configuration file sets another provider with this id.',
} as const

function sameList(one: ProviderRow['listed'], other: ProviderRow['listed']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function toTest(listing: Listing): ProviderTest {
  return listing.ok ? { ok: true, models: listing.models.map(({ modelId }) => modelId) } : listing
}
