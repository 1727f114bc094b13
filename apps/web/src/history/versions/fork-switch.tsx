import { type ChatMessage, IDLE } from '@palimpsest/core/domain'
import { useMessages, type Version, VersionSwitch } from '@palimpsest/ui'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { type Fork, familyOf, type Lineage } from '../../session/forks.ts'
import { versionName } from '../../session/version-name.ts'
import { useStore } from '../../state/use-store.ts'
import { useApp } from '../../stores/app-context.tsx'
import { countAfterFork } from './count-after-fork.ts'
import { versionQuery } from './version-query.ts'

export type ForkSwitchProps = {
  fork: Fork
  lineage: Lineage
  /** What is visible in this session. */
  shown: readonly ChatMessage[]
  onTree: () => void
}

/** The switch between the versions at a fork; after a step it says what the other version holds. */
export function ForkSwitch({ fork, lineage, shown, onTree }: ForkSwitchProps) {
  const { router, chats, history } = useApp()
  const words = useMessages().history.versions
  const { statuses } = useStore(chats)
  const arrival = useStore(history.arrival)
  const [opened, setOpened] = useState(false)
  const currentId = lineage.current
  const from = arrival?.to === currentId ? arrival.from : null
  const counts = useCounts(fork, currentId, shown, opened || from !== null)
  const family = familyOf(lineage.root)
  const versions = fork.sessions.map(
    (session): Version => ({
      id: session.id,
      name: versionName(session, family, words),
      count: counts(session.id),
    }),
  )
  const left = versions.find(({ id }) => id === from)

  return (
    <VersionSwitch
      versions={versions}
      currentId={currentId}
      status={(id) => statuses[id] ?? IDLE}
      note={
        left?.count && left.count.messages > 0
          ? words.elsewhere(words.count(left.count.messages, left.count.more), left.name)
          : undefined
      }
      onSelect={(id) => {
        if (id === currentId) return
        history.arrival.set({ from: currentId, to: id })
        router.push({ sessionId: id, anchor: null })
      }}
      onCompare={(id) =>
        router.push({ sessionId: null, anchor: null, compare: { left: currentId, right: id } })
      }
      onTree={onTree}
      onOpen={() => setOpened(true)}
    />
  )
}

/** Messages after the fork in each version, once they are asked for. */
function useCounts(fork: Fork, currentId: string, shown: readonly ChatMessage[], enabled: boolean) {
  const { client } = useApp()
  const others = fork.sessions.filter(({ id }) => id !== currentId)
  const pages = useQueries({
    queries: others.map((session) => versionQuery(client, session, enabled)),
  })
  return (sessionId: string) => {
    if (sessionId === currentId) {
      const at = shown.findIndex(({ id }) => id === fork.messageId)
      return { messages: shown.length - 1 - at, more: false }
    }
    const at = others.findIndex(({ id }) => id === sessionId)
    const [session, page] = [others[at], pages[at]?.data]
    return session === undefined || page === undefined ? null : countAfterFork(session, fork.sessions, page)
  }
}
