import type { Client } from '@palimpsest/client'
import type { SessionFeedEvent } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { remoteSessionApi } from './remote-session-api.ts'

test('AP-2 a page whose events were dropped begins anew, as after a reconnect', () => {
  const heard: string[] = []
  let publish: (event: SessionFeedEvent) => void = () => undefined
  const subscribe = (_input: unknown, { onData }: { onData(event: SessionFeedEvent): void }) => {
    publish = onData
    return { unsubscribe: () => undefined }
  }
  // Nothing but the subscription is used.
  const client = { session: { events: { subscribe } } } as unknown as Client
  remoteSessionApi(() => client).watch('s', {
    onStarted: () => heard.push('started'),
    onEvent: ({ type }) => heard.push(type),
    onError: () => heard.push('error'),
  })
  publish({ type: 'title', sessionId: 's', title: 'Before' })
  publish({ type: 'reset', sessionId: 's' })
  publish({ type: 'status', sessionId: 's', status: { state: 'idle' } })
  expect(heard).toEqual(['title', 'started', 'status'])
})
