import type { ProviderProblem, ProviderView } from '../domain/model/provider.ts'
import type { CorePorts } from '../history/core-ports.ts'
import type { Models } from '../ports/models.ts'
import type { EnteredProvider } from '../ports/providers.ts'
import type { ProviderRow } from '../ports/settings.ts'

/** A stored provider with its key, or with what keeps it from being used. */
export type Entered = { row: ProviderRow; provider: EnteredProvider | null; problem: ProviderProblem | null }

/** The providers that a person entered, and the catalogue of those that can be used. */
export type EnteredState = { all: readonly Entered[]; catalogue: Models }

type Ports = Pick<CorePorts, 'store' | 'vault' | 'providers' | 'logger'>

/** Reads and decrypts the stored providers. One that cannot be decrypted is left out of the catalogue, and the log names it. */
export async function readEntered(ports: Ports): Promise<EnteredState> {
  const rows = await ports.store.settings.providers()
  const all = await Promise.all(rows.map((row) => toEntered(row, ports)))
  const usable = all.flatMap(({ provider }) => provider ?? [])
  ports.providers.redactFromLogs(usable.flatMap(({ apiKey }) => apiKey ?? []))
  for (const { row } of all.filter(({ problem }) => problem === 'key-unreadable'))
    ports.logger.warn(
      { providerId: row.id },
      'The stored key of a provider cannot be decrypted: enter it again',
    )
  return { all, catalogue: ports.providers.catalogue(usable) }
}

async function toEntered(row: ProviderRow, { vault, providers }: Ports): Promise<Entered> {
  const { id, kind, baseURL, models, listed, sealedKey } = row
  if (providers.preset.some((preset) => preset.id === id))
    return { row, provider: null, problem: 'overridden' }
  const apiKey = sealedKey === null ? null : await vault.open(sealedKey, purposeOf(row))
  if (sealedKey !== null && apiKey === null) return { row, provider: null, problem: 'key-unreadable' }
  return {
    row,
    provider: { id, kind, label: labelOf(row), baseURL, apiKey, models, listed },
    problem: null,
  }
}

/** A key that is moved to another row, or whose row gets another address in the file, cannot be decrypted. */
export function purposeOf({ id, kind, baseURL }: Pick<ProviderRow, 'id' | 'kind' | 'baseURL'>): string {
  return JSON.stringify(['provider', id, kind, baseURL])
}

export function toView({ row, problem }: Entered): ProviderView {
  const { id, kind, baseURL, sealedKey, models, listed } = row
  return {
    id,
    kind,
    label: labelOf(row),
    baseURL,
    hasKey: sealedKey !== null,
    source: 'settings',
    models,
    listed: listed.map(({ modelId }) => modelId),
    problem,
  }
}

const LABELS: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
}

function labelOf({ id, label }: ProviderRow): string {
  return label ?? LABELS[id] ?? id
}
