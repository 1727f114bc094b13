import type { ProviderTest, ProviderView } from '@palimpsest/core/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MODELS_QUERY } from '../model/use-models.ts'
import { useApp } from '../stores/app-context.tsx'
import type { ProviderInput } from './provider-draft.ts'

const PROVIDERS_QUERY = ['providers'] as const

/** `stored`: it changes the provider with this id, whose key it may keep. */
export type PutOptions = { anyhow?: boolean; stored?: boolean }

export type ProviderActions = {
  /** Tests it and, when it has models, or in any case with \`anyhow\`, saves it. A test that fails saves nothing. */
  put(input: ProviderInput, options?: PutOptions): Promise<ProviderTest>
  test(id: string): Promise<ProviderTest>
  remove(id: string): Promise<void>
}

/** The providers, null until they are known, and the ways to change them. The picker has each change at once. */
export function useProviders(): { providers: readonly ProviderView[] | null; actions: ProviderActions } {
  const { client } = useApp()
  const queries = useQueryClient()
  const { data } = useQuery({
    queryKey: PROVIDERS_QUERY,
    queryFn: async () => (await client().provider.list.query()).items,
  })
  const actions = useMemo<ProviderActions>(() => {
    const changed = () =>
      Promise.all([PROVIDERS_QUERY, MODELS_QUERY].map((queryKey) => queries.invalidateQueries({ queryKey })))
    return {
      async put(input, { anyhow = false, stored = false } = {}) {
        if (!anyhow) {
          const { id, kind, baseURL, apiKey } = input
          const draft = { kind, baseURL, ...(apiKey !== undefined && { apiKey }), ...(stored && { id }) }
          const test = await client().provider.test.mutate(draft)
          if (!test.ok || (test.models.length === 0 && input.models.length === 0)) return test
        }
        const { test } = await client().provider.put.mutate(input)
        await changed()
        return test
      },
      async test(id) {
        const test = await client().provider.test.mutate({ id })
        await changed()
        return test
      },
      async remove(id) {
        await client().provider.remove.mutate({ id })
        await changed()
      },
    }
  }, [client, queries])
  return { providers: data ?? null, actions }
}
