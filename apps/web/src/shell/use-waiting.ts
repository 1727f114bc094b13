import type { Session } from '@palimpsest/core/domain'
import { visibleWords } from '@palimpsest/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type WaitingChat, waitingChats } from '../session/waiting-chats.ts'
import { useStore } from '../state/use-store.ts'
import { useApp } from '../stores/app-context.tsx'
import { attentionWords as words } from '../words/en-attention.ts'

/** A waiting chat with its name, its folder, and the chat that leads to it: a side question opens beside another. */
export type NamedWaiting = WaitingChat & {
  name: string
  session: Session
  opens: string
}

const WAITING_QUERY = ['waiting'] as const
const NONE: readonly NamedWaiting[] = []

/** All chats that wait for the person, the oldest request first; kept current by events. */
export function useWaiting(): readonly NamedWaiting[] {
  const { client, chats, attention } = useApp()
  const queries = useQueryClient()
  const { statuses } = useStore(chats)
  const changes = useStore(attention.asksChanged)
  const enabled = Object.values(statuses).some(({ state }) => state === 'waiting')

  async function read(): Promise<NamedWaiting[]> {
    const [permissions, questions] = await Promise.all([
      client().permission.pending.query({}),
      client().question.pending.query({}),
    ])
    const waiting = waitingChats({ permissions: permissions.items, questions: questions.items })
    return await Promise.all(waiting.map(named))
  }

  async function named(chat: WaitingChat): Promise<NamedWaiting> {
    const session = await client().session.get.query({ sessionId: chat.id })
    const title = visibleWords(session.title)
    if (session.metadata.ephemeral !== true || session.parentId === null)
      return { ...chat, session, name: title, opens: chat.id }
    return { ...chat, session, name: words.sideQuestion(title), opens: session.parentId }
  }

  const { data } = useQuery({ queryKey: WAITING_QUERY, queryFn: read, enabled })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request, or one that is over, is the reason to read again
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: WAITING_QUERY })
  }, [changes, queries])
  return enabled && data !== undefined ? data : NONE
}
