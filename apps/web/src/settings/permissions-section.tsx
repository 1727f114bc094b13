import { useQuery } from '@tanstack/react-query'
import { folderName } from '../agent/folder-name.ts'
import { LoadFailed } from '../agent/load-failed.tsx'
import { RuleList } from '../agent/rule-list.tsx'
import { groupRules } from '../agent/rule-words.ts'
import { SandboxNote } from '../agent/sandbox-note.tsx'
import { useRules } from '../agent/use-rules.ts'
import { useApp } from '../stores/app-context.tsx'
import { agentWords } from '../words/en-agent.ts'

const { projects: words, loading } = agentWords

/** What is allowed without asking: by persons for projects, by the configuration, and from the start. */
export function PermissionsSection() {
  const { client } = useApp()
  const { rules, error, retry, revoke } = useRules(null)
  const { data: system } = useQuery({ queryKey: ['system'], queryFn: () => client().system.info.query() })
  if (rules === null)
    return error ? <LoadFailed error={error} onRetry={retry} /> : <p role="status">{loading}</p>
  const { projects, configured, builtIn } = groupRules(rules)
  const file = system?.setup.configFile ?? ''
  return (
    <div className="space-y-8">
      <SandboxNote />
      <div className="space-y-5">
        <p className="text-muted">{words.lead}</p>
        {projects.length === 0 && (
          <p>
            {words.empty} <span className="text-muted">{words.emptyHint}</span>
          </p>
        )}
        {projects.map((project) => (
          <RuleList
            key={project.workspaceRoot}
            title={folderName(project.workspaceRoot)}
            hint={project.workspaceRoot}
            rules={project.rules}
            onRevoke={revoke}
          />
        ))}
      </div>
      {file !== '' && (
        <RuleList
          title={words.configured}
          hint={configured.length > 0 && words.configuredLead(file)}
          empty={words.configuredEmpty(file)}
          rules={configured}
        />
      )}
      <RuleList title={words.builtIn} rules={builtIn} />
    </div>
  )
}
