import { createScriptedMcp } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/start-test-server.ts'

const SERVERS = { path: 'mcp.servers', type: 'query' } as const
const RECONNECT = { path: 'mcp.reconnect', type: 'mutation' } as const

test('MC-2 the servers are listed with their state, and a person connects one anew', async () => {
  const mcp = createScriptedMcp({ lab: [{ fails: 'bad key' }, { tools: ['look'] }] })
  await using server = await startTestServer({ ports: { mcp } })
  const servers = async () =>
    JSON.parse((await callProcedure(server.url, SERVERS, {})).body).result.data.items
  expect(await servers()).toEqual([
    {
      name: 'lab',
      kind: 'stdio',
      source: 'file',
      address: null,
      state: { type: 'off' },
      tools: [],
      leftOut: 0,
      refused: [],
      signIn: null,
      wider: null,
    },
  ])
  await callProcedure(server.url, RECONNECT, { name: 'lab' })
  await expect.poll(servers).toMatchObject([{ state: { type: 'failed', reason: 'bad key' } }])
  await callProcedure(server.url, RECONNECT, { name: 'lab' })
  await expect
    .poll(servers)
    .toMatchObject([
      { state: { type: 'ready' }, tools: [{ id: 'lab_look', name: 'look', description: 'Does look' }] },
    ])
})

test('AP-1 a server that is not configured cannot be connected', async () => {
  await using server = await startTestServer()
  expect(JSON.parse((await callProcedure(server.url, SERVERS, {})).body).result.data.items).toEqual([])
  const { failure } = await callProcedure(server.url, RECONNECT, { name: 'lab' })
  expect(failure?.data).toMatchObject({ appCode: 'INVALID_INPUT', field: 'name' })
})
