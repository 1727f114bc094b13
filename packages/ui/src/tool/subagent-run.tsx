import { type ComponentType, createContext, use } from 'react'
import { useMessages } from '../messages/messages-context.tsx'
import type { ToolPart, ToolState } from './tool-part.ts'

export type SubagentRunProps = {
  /** The call that has started the subagent. */
  part: ToolPart
  state: ToolState
  /** The session of the subagent's run. */
  sessionId: string
}

const SubagentContext = createContext<ComponentType<SubagentRunProps> | null>(null)

/** Sets the component that shows the run of a subagent in its call. Without it a call only links to the session. */
export const SubagentProvider = SubagentContext.Provider

/** The run of a subagent, under the line of its call. */
export function SubagentRun(props: SubagentRunProps) {
  const { tool } = useMessages()
  const Run = use(SubagentContext)
  if (Run !== null) return <Run key={props.sessionId} {...props} />
  return (
    <a
      href={`/s/${encodeURIComponent(props.sessionId)}`}
      className="ml-8 inline-flex min-h-6 items-center text-xs text-muted underline hover:text-ink coarse:min-h-11"
    >
      {tool.openSubagent}
    </a>
  )
}
