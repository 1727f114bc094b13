import type { LiveStreams, Store } from '../ports/index.ts'
import type { Coordinator } from './coordinator.ts'

type Ports = { store: Store; live: LiveStreams; coordinator: Coordinator }

/** Takes up the runs that wait: their sessions show it, and viewers read what they have streamed and what will come. */
export async function restoreWaiting({ store, live, coordinator }: Ports): Promise<void> {
  for (const { lease, messageId, on } of await store.runs.waiting()) {
    const { runId, sessionId, startedAt } = lease
    const log = await store.runs.log(runId)
    const writer = live.resume(runId) ?? live.open({ runId, sessionId })
    writer.append(log.flatMap(({ chunks }) => chunks))
    coordinator.restore(sessionId, { runId, messageId, startedAt, on })
  }
}
