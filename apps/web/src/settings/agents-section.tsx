import { useQuery } from '@tanstack/react-query'
import { LoadFailed } from '../agent/load-failed.tsx'
import { useApp } from '../stores/app-context.tsx'
import { sourceWords as words } from '../words/en-sources.ts'
import { ConsentCard } from './consent-card.tsx'
import { SourceList } from './source-list.tsx'

/** Agents and commands of files, with the consent that a project's agents need. */
export function AgentsSection() {
  const { client, toasts } = useApp()
  const { data, error, refetch } = useQuery({
    queryKey: ['sources', 'agents'],
    refetchOnMount: 'always',
    queryFn: async () => {
      const [agents, commands, trust] = await Promise.all([
        client().agentFile.list.query({}),
        client().command.list.query({}),
        client().trust.list.query({}),
      ])
      return { agents, commands, items: trust.items }
    },
  })
  if (data === undefined)
    return error ? (
      <LoadFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <p role="status">{words.loading}</p>
    )
  const { agents, commands, items } = data

  /** Whatever the answer, the list is read again: the file may have changed. */
  async function change(call: Promise<unknown>, message: string): Promise<void> {
    const done = await toasts.guard(call)
    await refetch()
    if (done) toasts.add({ tone: 'info', message })
  }

  return (
    <div className="space-y-8">
      <SourceList
        title={words.agents}
        lead={words.agentsLead}
        empty={words.noAgents}
        warnings={agents.warnings}
        rows={agents.items.map(({ id, description, mode, source, path, allowed }) => {
          const item = source === 'project' ? items.find((one) => one.path === path) : undefined
          return {
            key: id,
            name: id,
            description,
            facts: [
              words.modes[mode],
              words.sources[source],
              ...(source === 'project' ? [allowed ? words.allowed : words.notAllowed] : []),
            ],
            extra: item && (
              <ConsentCard
                item={item}
                onAllow={() =>
                  void change(client().trust.grant.mutate({ digest: item.digest }), words.allowedNow(path))
                }
                onWithdraw={() =>
                  void change(client().trust.revoke.mutate({ digest: item.digest }), words.withdrawn(path))
                }
              />
            ),
          }
        })}
      />
      <SourceList
        title={words.commands}
        lead={words.commandsLead}
        empty={words.noCommands}
        warnings={commands.warnings}
        rows={commands.items.map(({ name, description, hint, source, path }) => ({
          key: name,
          name: `/${name}${hint === '' ? '' : ` ${hint}`}`,
          description,
          facts: [words.sources[source], path],
        }))}
      />
    </div>
  )
}
