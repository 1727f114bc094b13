import type { ComposerProps } from '@palimpsest/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRested } from '../state/use-rested.ts'
import { useApp } from '../stores/app-context.tsx'

/** Milliseconds that what is typed has to rest before the server is asked. */
const REST_MS = 80

/** The folder whose files are mentioned: that of a session, else a folder, else the server's first one. */
type Scope = { sessionId: string } | { workspaceRoot: string } | Record<string, never>

/** What an `@` in the composer finds among the files of a chat's folder. */
export function useMentions(scope: Scope): NonNullable<ComposerProps['mentions']> {
  const { client } = useApp()
  const [query, onQuery] = useState<string | null>(null)
  const rested = useRested(query, REST_MS)
  const { data } = useQuery({
    queryKey: ['files', scope, rested],
    enabled: query !== null && rested !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: () => client().workspace.files.query({ ...scope, query: rested ?? '' }),
  })
  return { paths: query === null ? NONE : (data?.paths ?? NONE), onQuery }
}

const NONE: readonly string[] = []
