import { Button } from '@palimpsest/ui'
import { SquareTerminal } from 'lucide-react'
import { useWorkspace } from '../list/workspace-context.tsx'
import type { SessionState } from '../session/session-state.ts'
import { agentWords } from '../words/en-agent.ts'
import { ChatPermissions } from './chat-permissions.tsx'
import { ProcessDialog } from './process-dialog.tsx'
import { useProcesses } from './use-processes.ts'

const { processes: words } = agentWords

export type SessionAgentProps = { state: SessionState }

/** In the header of a chat: the commands that run in the background; and the dialogs of what it may do and runs. */
export function SessionAgent({ state }: SessionAgentProps) {
  const { wish, makeWish } = useWorkspace()
  const processes = useProcesses(state)
  const { sessionId } = state
  const running = processes.processes?.filter(({ exit }) => exit === null).length ?? 0
  return (
    <>
      {running > 0 && (
        <Button
          variant="quiet"
          className="px-2 font-normal"
          aria-label={words.running(running)}
          aria-haspopup="dialog"
          onClick={() => makeWish('processes')}
        >
          <SquareTerminal aria-hidden size={16} />
          <span aria-hidden className="text-sm tabular-nums max-md:hidden">
            {words.running(running)}
          </span>
          <span aria-hidden className="text-sm tabular-nums md:hidden">
            {running}
          </span>
        </Button>
      )}
      <ProcessDialog
        processes={processes}
        open={wish === 'processes'}
        onOpenChange={(open) => makeWish(open ? 'processes' : null)}
      />
      <ChatPermissions
        sessionId={sessionId}
        open={wish === 'permissions'}
        onOpenChange={(open) => makeWish(open ? 'permissions' : null)}
      />
    </>
  )
}
