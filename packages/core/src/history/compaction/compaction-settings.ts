import type { Session } from '../../domain/session.ts'
import {
  type CompactionConfig,
  type CompactionSettings,
  compactionSettingsSchema,
  resolveCompaction,
} from './compaction-config.ts'

/** How room is made in a session's window: the host's settings, over them its agent's, over them its own. */
export function createCompactionSettings(
  host: CompactionSettings | undefined,
  agents: ReadonlyMap<string, { compaction?: CompactionSettings }>,
): (session: Session) => CompactionConfig {
  return ({ agent, metadata }) => {
    const own = compactionSettingsSchema.safeParse(metadata.compaction)
    return resolveCompaction(host, agents.get(agent)?.compaction, own.success ? own.data : undefined)
  }
}
