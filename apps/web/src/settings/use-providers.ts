import type { ProviderTest, ProviderView } from '@palimpsest/core/domain'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MODELS_QUERY } from '../model/use-models.ts'
import { useApp } from '../stores/app-context.tsx'
import type { ProviderInput } from './provider-draft.ts'

const PROVIDERS_QUERY = ['providers'] as const

export type ProviderActions = {
  put(input: ProviderInput): Promise<ProviderTest>
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
      async put(input) {
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
