import { reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { SURFACES } from '../testing/surfaces.ts'

test.for(Object.entries(SURFACES))(
  'BU-1 %s: a session whose limit is reached refuses a message until it is raised',
  async ([, open]) => {
    await using surface = await open()
    const { call, provider } = surface
    const sessionId = 'chat'
    const send = (id: string) =>
      call('session.send', { sessionId, message: { id, parts: [{ type: 'text', text: id }] } })
    provider.otherwise(reply({ text: 'Hello' }))
    await call('session.create', { id: sessionId, title: 'Named' })
    const limits = { session: { max_tokens: 5 } }
    expect(await call('budget.set', { sessionId, limits })).toMatchObject({ own: limits, reached: null })
    const { runId } = (await send('m1')) as { runId: string }
    await surface.chunks(sessionId, runId)
    await expect(send('m2')).rejects.toMatchObject({ code: 'BUDGET_EXHAUSTED' })
    expect(await call('budget.get', { sessionId })).toMatchObject({
      limits: { run: {}, session: { max_tokens: 5 } },
      spent: { tokens: 11, toolCalls: 0 },
      reached: { scope: 'session', limit: 'max_tokens', max: 5, used: 11 },
    })
    const raised = await call('budget.set', { sessionId, limits: { session: { max_tokens: 50 } } })
    expect(raised).toMatchObject({ reached: null })
    expect(await send('m2')).toMatchObject({ messageId: 'm2', queued: false })
  },
)
