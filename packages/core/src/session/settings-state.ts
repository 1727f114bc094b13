import pLimit from 'p-limit'
import type { AppSettings } from '../domain/model/provider.ts'
import type { CorePorts } from '../history/core-ports.ts'
import { type EnteredState, readEntered } from './entered-providers.ts'
import { readSettings } from './read-settings.ts'

export type InUse = EnteredState & AppSettings

/** Settings and entered providers as they are in use: read from the store once, and again after each change. */
export interface SettingsState {
  inUse(): Promise<InUse>
  /** Runs one change at a time. What it wrote is in use once this resolves. */
  change<T>(write: (before: InUse) => Promise<T>): Promise<T>
}

export function createSettingsState(ports: CorePorts): SettingsState {
  const oneByOne = pLimit(1)
  let current: Promise<InUse> | null = null

  function load(): Promise<InUse> {
    const loading = Promise.all([readEntered(ports), readSettings(ports.store)]).then(
      ([entered, settings]) => ({ ...entered, ...settings }),
      (error: unknown) => {
        // The next call reads again.
        if (current === loading) current = null
        throw error
      },
    )
    current = loading
    return loading
  }

  const inUse = () => current ?? load()
  return {
    inUse,
    change: (write) =>
      oneByOne(async () => {
        const result = await write(await inUse())
        await load()
        return result
      }),
  }
}
