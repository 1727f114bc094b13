import { useFormat } from '@palimpsest/ui'
import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'
import { settingsWords } from '../words/en-settings.ts'
import { Facts } from './facts.tsx'

const { about: words } = settingsWords

/** The version of the server, and whether it is ready. */
export function AboutSection() {
  const { client } = useApp()
  const format = useFormat()
  const { data } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  const health = useQuery({ queryKey: ['health'], queryFn: readHealth, refetchInterval: 10_000 })
  if (data === undefined) return null
  return (
    <Facts
      facts={[
        [words.version, `${data.name} ${data.version}`],
        [words.runtime, data.runtime],
        [
          words.health,
          health.data === undefined ? words.checking : health.data ? words.healthy : words.unhealthy,
        ],
        [words.started, format.dateTime(data.startedAt)],
        [words.runs, format.count(data.activeRuns)],
        [words.workspaces, data.workspaces.join(', ')],
        [words.licence, words.mit],
      ]}
    />
  )
}

async function readHealth(): Promise<boolean> {
  return (await fetch('/readyz')).ok
}
