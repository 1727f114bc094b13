import { judgeCommand } from '../../permission/bash/judge-command.ts'
import { isStricter } from '../../permission/evaluate.ts'
import { type Watchdog, watch } from '../../permission/watchdog.ts'

/**
 * The shipped policy for commands: denies what destroys in every mode, asks about what may, and about a line that cannot be checked
 * as a whole, whatever a rule allows, as its wildcards would match any text.
 */
const commandWatchdog: Watchdog = ({ toolId, args, workspaceRoot, mode }) => {
  if (toolId !== 'bash' || !('command' in args) || typeof args.command !== 'string') return null
  const { verdict, reason, plain, mayDestroy } = judgeCommand(args.command, { root: workspaceRoot })
  if (verdict === 'deny') return { action: 'deny', reason }
  if (mayDestroy) return { action: 'ask', reason: MAY_DESTROY }
  return verdict === 'ask' && plain.length === 0 && mode !== 'full-access' ? { action: 'ask', reason } : null
}

const MAY_DESTROY = 'It may destroy data: its words do not show which program it starts.'

/** The policy for commands together with a host's own watchdog: the stricter verdict counts. */
export function withCommandPolicy(own: Watchdog | undefined): Watchdog {
  return (call) => {
    const shipped = watch(commandWatchdog, call)
    const hosts = watch(own, call)
    if (shipped === null || hosts === null) return shipped ?? hosts
    return isStricter(hosts.action, shipped.action) ? hosts : shipped
  }
}
