import { LoadFailed } from '../agent/load-failed.tsx'
import { useApp } from '../stores/app-context.tsx'
import { sourceWords as words } from '../words/en-sources.ts'
import { ConsentCard } from './consent-card.tsx'
import { inFolders } from './in-folders.ts'
import { SourceList } from './source-list.tsx'
import { useSources } from './use-sources.ts'

/** Agents and commands of files in each folder in use, with the consent that a project's agents need. */
export function AgentsSection() {
  const { client, toasts } = useApp()
  const { data, error, refetch } = useSources('agents', async (found, place) => {
    const [agents, commands, trust] = await Promise.all([
      found.agentFile.list.query(place),
      found.command.list.query(place),
      found.trust.list.query(place),
    ])
    const items = agents.items.map((agent) => ({
      ...agent,
      // What a person consents to is for chats in this folder.
      workspaceRoot: place.workspaceRoot,
      item: agent.source === 'project' ? trust.items.find(({ path }) => path === agent.path) : undefined,
    }))
    return { agents: { ...agents, items }, commands }
  })
  if (data === undefined)
    return error ? (
      <LoadFailed error={error} onRetry={() => void refetch()} />
    ) : (
      <p role="status">{words.loading}</p>
    )
  const agents = inFolders(data.map(({ folder, agents: list }) => ({ folder, ...list })))
  const commands = inFolders(data.map(({ folder, commands: list }) => ({ folder, ...list })))

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
        rows={agents.items.map((agent) => {
          const { id, description, mode, source, path, allowed, folder, workspaceRoot, item } = agent
          const named = folder === null ? path : `${folder}/${path}`
          return {
            key: `${folder} ${source} ${id}`,
            name: id,
            description,
            facts: [
              words.modes[mode],
              folder ?? words.sources[source],
              ...(source === 'project' ? [allowed ? words.allowed : words.notAllowed] : []),
            ],
            extra: item && (
              <ConsentCard
                item={{ ...item, path: named }}
                onAllow={() =>
                  void change(
                    client().trust.grant.mutate({ workspaceRoot, digest: item.digest }),
                    words.allowedNow(named),
                  )
                }
                onWithdraw={() =>
                  void change(client().trust.revoke.mutate({ digest: item.digest }), words.withdrawn(named))
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
        rows={commands.items.map(({ name, description, hint, source, path, folder }) => ({
          key: `${folder} ${source} ${name}`,
          name: `/${name}${hint === '' ? '' : ` ${hint}`}`,
          description,
          facts: [folder ?? words.sources[source], path],
        }))}
      />
    </div>
  )
}
