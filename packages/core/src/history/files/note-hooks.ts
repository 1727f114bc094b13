import type { Hook, Store, Workspaces } from '../../ports/index.ts'
import type { Coordinator } from '../../state/coordinator.ts'
import type { Workspace } from './workspace.ts'
import { workspaceOf } from './workspace-of.ts'

type Ports = { store: Store; workspaces: Workspaces; coordinator: Coordinator; workspace: Workspace }

/** The hooks, with those after a call noted as a part of it: a formatter changes what the call has written. */
export function noteHooks(hooks: readonly Hook[], ports: Ports): Hook[] {
  return hooks.map((hook) => (hook.event === 'tool.after' ? noted(hook, ports) : hook))
}

function noted(hook: Hook, { store, workspaces, coordinator, workspace }: Ports): Hook {
  return {
    ...hook,
    async run(payload, signal) {
      const { sessionId, runId, toolCallId } = payload
      const active = typeof sessionId === 'string' ? coordinator.active(sessionId) : null
      const session =
        active === null || typeof sessionId !== 'string' ? null : await store.sessions.get(sessionId)
      const root = session === null ? null : await workspaceOf(session, workspaces)
      if (
        session === null ||
        active?.messageId == null ||
        active.runId !== runId ||
        typeof toolCallId !== 'string'
      )
        return await hook.run(payload, signal)
      const journal = workspace.openRun({ session, runId: active.runId, messageId: active.messageId }, root)
      return await (journal === null
        ? hook.run(payload, signal)
        : journal.around(toolCallId, () => hook.run(payload, signal)))
    },
  }
}
