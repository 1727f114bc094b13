import { deltas, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

const TEXT = { parts: [{ type: 'text', text: 'hi' }] }

/** A server with a finished run, and its input. */
async function withRun() {
  const server = await startTestServer()
  server.provider.script(reply({ text: deltas(20) }))
  await callProcedure(server.url, { path: 'session.create', type: 'mutation' }, { id: 'chat' })
  const send = { path: 'session.send', type: 'mutation' } as const
  const sent = await callProcedure(server.url, send, { sessionId: 'chat', message: TEXT })
  const { runId }: { runId: string } = JSON.parse(sent.body).result.data
  const run = { sessionId: 'chat', runId }
  await (await fetch(address(server, run))).text()
  return { server, run, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

function address({ url }: TestServer, input: unknown): string {
  return `${url}/trpc/session.stream?input=${encodeURIComponent(JSON.stringify(input))}`
}

/** A query that tRPC ignores, and with which the request is left to it. */
const BY_TRPC = '&by=trpc'

async function wireOf(url: string) {
  const answer = await fetch(url)
  const { date: _, ...headers } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers, body: await answer.text() }
}

test('AP-5 the events of a run are those that tRPC writes, byte for byte, with the same head', async () => {
  await using finished = await withRun()
  const url = address(finished.server, finished.run)
  const own = await wireOf(url)
  expect(own).toEqual(await wireOf(url + BY_TRPC))
  expect(own.body).toMatch(/^retry: 500\n\nevent: connected\ndata: \{\}\n\n\ndata: \[/)
  expect(own.body).toMatch(/"finish".*\n\n\nevent: return\ndata: \n\n\n$/)
})

test.for([
  ['of an unknown session', { sessionId: 'nowhere' }, 404, 'SESSION_NOT_FOUND'],
  ['with an id of another form', { sessionId: 'a b' }, 400, 'INVALID_INPUT'],
  ['with a field too many', { sessionId: 'chat', more: 1 }, 400, 'INVALID_INPUT'],
  ['without an object', null, 400, 'INVALID_INPUT'],
] as const)(
  'AP-5 AP-1 a stream %s ends with the error that tRPC writes',
  async ([, input, httpStatus, appCode]) => {
    await using finished = await withRun()
    const url = address(finished.server, input)
    const own = await wireOf(url)
    expect(own).toEqual(await wireOf(url + BY_TRPC))
    const failure = /event: serialized-error\ndata: (.*)\n\n\n$/.exec(own.body)?.[1] ?? 'null'
    expect(JSON.parse(failure)).toMatchObject({ data: { httpStatus, appCode } })
  },
)
