import { type ProviderKind, type ProviderView, RESERVED_PROVIDER_IDS } from '@palimpsest/core/domain'
import type { KnownProvider } from './known-providers.ts'

/** What is typed into the form of a provider. */
export type ProviderDraft = {
  kind: ProviderKind
  label: string
  baseURL: string
  apiKey: string
  /** One id on each line. */
  ids: string
  removeKey: boolean
}

export type ProviderInput = {
  id: string
  kind: ProviderKind
  label: string
  baseURL: string | null
  /** Absent, the stored key stays. */
  apiKey?: string | null
  models: string[]
}

export const EMPTY_DRAFT: ProviderDraft = {
  kind: 'openai-compatible',
  label: '',
  baseURL: '',
  apiKey: '',
  ids: '',
  removeKey: false,
}

export function draftOf({ kind, label, baseURL, models }: ProviderView): ProviderDraft {
  return { ...EMPTY_DRAFT, kind, label, baseURL: baseURL ?? '', ids: models.join('\n') }
}

/** The form of a provider that is known by its name: only the key is missing. */
export function draftOfKnown({ kind, label, baseURL }: KnownProvider): ProviderDraft {
  return { ...EMPTY_DRAFT, kind, label, baseURL: baseURL ?? '' }
}

/** What the server gets. A new provider has an id made from its name, or from its kind or host, that no other has. */
export function toInput(
  draft: ProviderDraft,
  edited: ProviderView | null,
  taken: readonly string[],
): ProviderInput {
  const { kind, label, baseURL, apiKey, ids, removeKey } = draft
  const key = apiKey.trim()
  return {
    id: edited?.id ?? freeId(idFrom(draft), [...RESERVED_PROVIDER_IDS, ...taken]),
    kind,
    label: label.trim(),
    baseURL: baseURL.trim() === '' ? null : baseURL.trim(),
    ...(key !== '' && { apiKey: key }),
    ...(key === '' && removeKey && { apiKey: null }),
    models: ids.split(/[\n,]/).flatMap((id) => id.trim() || []),
  }
}

const MAX_ID = 40

function idFrom({ kind, label, baseURL }: ProviderDraft): string {
  const host = URL.canParse(baseURL.trim()) ? new URL(baseURL.trim()).hostname : ''
  const named = label.trim() || (kind === 'openai-compatible' ? host : kind) || 'server'
  const id = named
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '')
    .slice(0, MAX_ID - 4)
  return id === '' ? 'server' : id
}

function freeId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id
  for (let number = 2; ; number++) if (!taken.includes(`${id}-${number}`)) return `${id}-${number}`
}
