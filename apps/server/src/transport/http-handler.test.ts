import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/index.ts'

test('AP-5 an event stream begins with its retry delay, and ends with the run', async () => {
  await using server = await startTestServer()
  server.provider.script(reply({ text: 'Hello' }))
  await callProcedure(server.url, { path: 'session.create', type: 'mutation' }, { id: 'chat' })
  const message = { parts: [{ type: 'text', text: 'hi' }] }
  await callProcedure(server.url, { path: 'session.send', type: 'mutation' }, { sessionId: 'chat', message })
  const { body } = await callProcedure(
    server.url,
    { path: 'session.stream', type: 'subscription' },
    { sessionId: 'chat' },
  )
  expect(body).toMatch(/^retry: 500\n\nevent: connected\n/)
  expect(body).toContain('"delta":"Hello"')
  expect(body).toMatch(/event: return\ndata: \n+$/)
})

test('AP-5 a stream of what does not exist ends with a 404, which no client asks for again', async () => {
  await using server = await startTestServer()
  for (const path of ['session.stream', 'session.events']) {
    const answer = await callProcedure(server.url, { path, type: 'subscription' }, { sessionId: 'nowhere' })
    expect(answer.failure?.data).toMatchObject({ httpStatus: 404, appCode: 'SESSION_NOT_FOUND' })
  }
})

test('AP-5 a reader that leaves in the middle ends its subscription', async () => {
  await using server = await startTestServer()
  const leaving = new AbortController()
  const answer = await fetch(`${server.url}/trpc/session.events`, { signal: leaving.signal })
  await answer.body?.getReader().read()
  leaving.abort()
  await server.shutdown(0)
})
