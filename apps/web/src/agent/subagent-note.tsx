import type { Session } from '@palimpsest/core/domain'
import { isPlainClick, NoticeLine } from '@palimpsest/ui'
import { useWorkspace } from '../list/workspace-context.tsx'
import { agentWords } from '../words/en-agent.ts'

const { subagent: words } = agentWords

export type SubagentNoteProps = { session: Session }

/** Above the composer of a subagent's session: what it is, and the way to the chat that started it. */
export function SubagentNote({ session: { agent, parentId } }: SubagentNoteProps) {
  const { actions } = useWorkspace()
  return (
    <div className="px-3 pb-2 md:px-0">
      <NoticeLine
        tone="neutral"
        text={words.page(agent)}
        action={
          parentId !== null && (
            <a
              href={actions.hrefFor(parentId)}
              onClick={(event) => {
                if (!isPlainClick(event)) return
                event.preventDefault()
                actions.onSelect(parentId)
              }}
              className="inline-flex min-h-6 items-center text-sm underline underline-offset-2 coarse:min-h-11"
            >
              {words.back}
            </a>
          )
        }
      />
    </div>
  )
}
