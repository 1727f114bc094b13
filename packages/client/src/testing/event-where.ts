import type { SessionFeedEvent } from '@palimpsest/core/domain'
import type { Api } from '../api.ts'

/** The first event of a session, its current state included, that matches. */
export async function eventWhere(
  client: Pick<Api, 'session'>,
  sessionId: string,
  looksSo: (event: SessionFeedEvent) => boolean,
): Promise<SessionFeedEvent> {
  const { promise, resolve, reject } = Promise.withResolvers<SessionFeedEvent>()
  const subscription = client.session.events.subscribe(
    { sessionId },
    { onData: (event) => looksSo(event) && resolve(event), onError: reject },
  )
  return await promise.finally(() => subscription.unsubscribe())
}

/** Resolves once this many messages of the session are queued. */
export async function queueOf(
  client: Pick<Api, 'session'>,
  sessionId: string,
  length: number,
): Promise<void> {
  await eventWhere(client, sessionId, (event) => event.type === 'queue' && event.queue.length === length)
}
