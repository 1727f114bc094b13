import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'

/** Milliseconds after which the catalogue is asked for again: a local model server may have been started. */
const STALE_MS = 30_000

/** The key under which the catalogue is cached. */
export const MODELS_QUERY = ['models'] as const

export type Catalogue = { models: readonly ModelInfo[]; defaultModel: ModelRef; chosen: boolean }

/** The models that can be chosen; null until they are known. */
export function useModels(): Catalogue | null {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: MODELS_QUERY,
    staleTime: STALE_MS,
    refetchOnWindowFocus: true,
    queryFn: () => client().model.list.query(),
  })
  return data ?? null
}
