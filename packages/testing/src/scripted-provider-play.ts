import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { ReplyStep, ScriptedReply } from './scripted-provider-reply.ts'

/** Plays a reply into a response; says `cut` when the script broke the connection. Stops when the client hangs up. */
export async function playReply(response: ServerResponse, reply: ScriptedReply): Promise<'ended' | 'cut'> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  response.writeHead(reply.status, reply.headers)
  const start = performance.now()
  for (const step of reply.steps) {
    if (gone.signal.aborted) return 'ended'
    if ('cut' in step) return 'cut'
    try {
      await play(step, response, start, gone.signal)
    } catch (error) {
      if (gone.signal.aborted) return 'ended'
      throw error
    }
  }
  response.end()
  return 'ended'
}

function play(
  step: Exclude<ReplyStep, { cut: true }>,
  response: ServerResponse,
  start: number,
  signal: AbortSignal,
): Promise<unknown> | undefined {
  if ('send' in step) {
    // Awaiting nothing on the common path keeps a burst of 50,000 deltas one tight loop.
    return response.write(step.send) ? undefined : once(response, 'drain', { signal })
  }
  if ('until' in step) return Promise.race([step.until, aborted(signal)])
  if ('stall' in step) return aborted(signal)
  const ms = start + step.atMs - performance.now()
  return ms <= 0 ? undefined : delay(ms, undefined, { signal })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
