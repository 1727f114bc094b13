import { expect, test } from 'vitest'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer } from '../testing/start-test-server.ts'

const tabs = {
  scope: 'user',
  name: 'tabs',
  description: 'Likes tabs',
  type: 'preference',
  body: 'Tabs, always.',
}

async function call(url: string, path: string, input: object = {}) {
  const procedure = PROCEDURES.find((one) => one.path === path)
  if (procedure === undefined) throw new Error(`There is no ${path}`)
  const { failure, body } = await callProcedure(url, procedure, input)
  const { result, error } = JSON.parse(body)
  return { data: failure === null ? result.data : null, error }
}

test('ME-1 UI-31 a person writes, lists, changes and deletes memories over tRPC', async () => {
  await using server = await startTestServer()
  const written = (await call(server.url, 'memory.write', tabs)).data
  expect(written).toMatchObject({ ...tabs, state: 'accepted', workspaceRoot: null, origin: null })
  expect((await call(server.url, 'memory.list')).data).toEqual({ items: [written], nextCursor: null })
  const changed = (await call(server.url, 'memory.write', { ...tabs, id: written.id, body: 'Or spaces' }))
    .data
  expect(changed).toMatchObject({ id: written.id, body: 'Or spaces' })
  expect((await call(server.url, 'memory.delete', { id: written.id })).data).toEqual({ deleted: true })
  expect((await call(server.url, 'memory.delete', { id: written.id })).data).toEqual({ deleted: false })
  expect((await call(server.url, 'memory.list', { scope: 'user' })).data.items).toEqual([])
})

test('AP-1 a bad memory is refused by the name of its field', async () => {
  await using server = await startTestServer()
  for (const [field, value] of Object.entries({
    scope: 'world',
    name: 'x'.repeat(81),
    description: ' ',
    body: 'x'.repeat(10_001),
  })) {
    const { error } = await call(server.url, 'memory.write', { ...tabs, [field]: value })
    expect(error.data).toMatchObject({ code: 'BAD_REQUEST', appCode: 'INVALID_INPUT', field })
  }
  const { error } = await call(server.url, 'memory.list', { cursor: '!' })
  expect(error.data).toMatchObject({ code: 'BAD_REQUEST', field: 'cursor' })
})
