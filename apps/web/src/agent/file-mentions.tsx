import { MentionList, type MentionListProps } from '@palimpsest/ui'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRested } from '../state/use-rested.ts'
import { useApp } from '../stores/app-context.tsx'
import type { CommandPlace } from './command-place.ts'

/** Milliseconds that what is typed has to rest before the server is asked. */
const REST_MS = 80

export type FileMentionsProps = Pick<MentionListProps, 'field' | 'value' | 'onValueChange'> & {
  /** The session whose folder is searched, or the folder of a new chat. */
  place: CommandPlace
}

/** What an `@` in the composer finds among the subagents and the files of a chat's folder. */
export function FileMentions({ place, ...field }: FileMentionsProps) {
  const { client } = useApp()
  const [query, onQuery] = useState<string | null>(null)
  const rested = useRested(query, REST_MS)
  const { data } = useQuery({
    queryKey: ['files', place, rested],
    enabled: query !== null && rested !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    queryFn: () => client().workspace.files.query({ ...place, query: rested ?? '' }),
  })
  const agents = useSubagents(place, query)
  const paths = query === null ? NONE : (data?.paths ?? NONE)
  return <MentionList {...field} agents={agents} paths={paths} onQuery={onQuery} />
}

const NONE: readonly string[] = []

/** Milliseconds after which the files of agents are read again once one is mentioned. */
const FRESH_MS = 10_000
/** Subagents that are listed. */
const MAX_AGENTS = 5

/** The subagents whose ids begin with what is typed: built-in ones, then those of files that count. */
function useSubagents(place: CommandPlace, query: string | null) {
  const { client } = useApp()
  const { data = [] } = useQuery({
    queryKey: ['subagents', place],
    enabled: query !== null,
    staleTime: FRESH_MS,
    async queryFn() {
      const { agent, agentFile } = client()
      const [builtIn, files] = await Promise.all([agent.list.query(), agentFile.list.query(place)])
      const ids = new Set(builtIn.items.map(({ id }) => id))
      const own = files.items.filter(({ id, allowed }) => allowed && !ids.has(id))
      return [...builtIn.items, ...own].filter(({ mode }) => mode !== 'primary')
    },
  })
  if (query === null) return []
  const typed = query.toLowerCase()
  return data.filter(({ id }) => id.toLowerCase().startsWith(typed)).slice(0, MAX_AGENTS)
}
