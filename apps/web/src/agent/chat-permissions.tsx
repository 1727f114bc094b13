import { Dialog } from '@palimpsest/ui'
import { agentWords } from '../words/en-agent.ts'
import { LoadFailed } from './load-failed.tsx'
import { RuleList } from './rule-list.tsx'
import { isGiven } from './rule-words.ts'
import { useRules } from './use-rules.ts'

const { permissions: words, loading } = agentWords

export type ChatDialogProps = { sessionId: string; open: boolean; onOpenChange: (open: boolean) => void }

/** What persons allowed this chat and its project, each with a way to take it back. */
export function ChatPermissions({ sessionId, open, onOpenChange }: ChatDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      description={words.lead}
      closable
      place="top"
      className="max-w-[36rem]"
    >
      <Rules sessionId={sessionId} />
    </Dialog>
  )
}

function Rules({ sessionId }: { sessionId: string }) {
  const { rules, error, retry, revoke } = useRules(sessionId)
  const given = rules?.filter(isGiven) ?? []
  return (
    <div className="space-y-6 overflow-y-auto p-5">
      {rules === null ? (
        error ? (
          <LoadFailed error={error} onRetry={retry} />
        ) : (
          <p role="status">{loading}</p>
        )
      ) : (
        <>
          <RuleList
            title={words.session}
            empty={words.sessionEmpty}
            rules={given.filter(({ source }) => source === 'session')}
            onRevoke={revoke}
          />
          <RuleList
            title={words.project}
            empty={words.projectEmpty}
            rules={given.filter(({ source }) => source === 'project')}
            onRevoke={revoke}
          />
          <a
            href="/settings/permissions"
            className="inline-flex min-h-control items-center underline underline-offset-2"
          >
            {words.all}
          </a>
        </>
      )}
    </div>
  )
}
