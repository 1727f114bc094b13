import { useQuery } from '@tanstack/react-query'
import { useApp } from '../stores/app-context.tsx'
import { agentWords } from '../words/en-agent.ts'

const { sandbox: words } = agentWords

/** What keeps commands from the rest of the machine, and why there is nothing better. */
export function SandboxNote() {
  const { client } = useApp()
  const { data } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  if (data === undefined) return null
  const { kind, reason } = data.sandbox
  return (
    <section aria-label={words.title}>
      <h3 className="font-text text-lg">{words.title}</h3>
      <p className={kind === 'none' ? 'text-caution' : 'text-muted'}>{words[kind]}</p>
      {reason !== undefined && (
        <p dir="auto" className="mt-1 text-sm text-muted wrap-anywhere">
          {reason}
        </p>
      )}
    </section>
  )
}
