import type { ChatChunk } from '@palimpsest/core/domain'
import type { Api } from './api.ts'
import { followRun } from './follow-run.ts'

export type ReadRun = {
  sessionId: string
  /** By default the session's current run. */
  runId?: string | undefined
}

/**
 * The chunks of a run from its first to its last, through lost connections; for scripts and services. Leaving the loop
 * detaches without stopping the run. Throws the server's refusal.
 */
export async function* readRun(client: Pick<Api, 'session'>, run: ReadRun): AsyncGenerator<ChatChunk, void> {
  let waiting: ChatChunk[] = []
  let over = false
  let failure: unknown = null
  let wake: () => void = () => undefined

  using _following = followRun(client, {
    ...run,
    onChunks(chunks) {
      waiting = waiting.concat(chunks)
      wake()
    },
    onEnd() {
      over = true
      wake()
    },
    onError(error) {
      failure = error
      over = true
      wake()
    },
  })

  while (true) {
    const chunks = waiting
    waiting = []
    yield* chunks
    if (waiting.length > 0) continue
    if (failure !== null) throw failure
    if (over) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}
