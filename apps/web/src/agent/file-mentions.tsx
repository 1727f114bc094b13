import { MentionList, type MentionListProps } from '@palimpsest/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRested } from '../state/use-rested.ts'
import { useApp } from '../stores/app-context.tsx'

/** Milliseconds that what is typed has to rest before the server is asked. */
const REST_MS = 80

export type FileMentionsProps = Pick<MentionListProps, 'field' | 'value' | 'onValueChange'> & {
  /** The session whose folder is searched; null for a new chat. */
  sessionId: string | null
  /** The folder of a new chat; null for the server's first one. */
  workspaceRoot: string | null
}

/** What an `@` in the composer finds among the files of a chat's folder. */
export function FileMentions({ sessionId, workspaceRoot, ...field }: FileMentionsProps) {
  const { client } = useApp()
  const [query, onQuery] = useState<string | null>(null)
  const rested = useRested(query, REST_MS)
  const scope = sessionId !== null ? { sessionId } : workspaceRoot !== null ? { workspaceRoot } : {}
  const { data } = useQuery({
    queryKey: ['files', scope, rested],
    enabled: query !== null && rested !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: () => client().workspace.files.query({ ...scope, query: rested ?? '' }),
  })
  return <MentionList {...field} paths={query === null ? NONE : (data?.paths ?? NONE)} onQuery={onQuery} />
}

const NONE: readonly string[] = []
