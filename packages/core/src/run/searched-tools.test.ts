import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createScriptedMcp } from '@palimpsest/testing/scripted-mcp.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { isToolPart } from '../domain/message/message.ts'

const NAMES = Array.from({ length: 40 }, (_, at) => `look_${at}`)

async function openLab() {
  const mcp = createScriptedMcp({ lab: [{ tools: NAMES }] })
  const lab = await openCoreLab({ mcp })
  const { id } = await lab.sessions.create({})
  await lab.sessions.permissions.setMode(id, 'full-access')
  return {
    ...lab,
    id,
    /** The MCP tools in each request for a step, in order. */
    offered: () =>
      lab.steps.map(({ body }) => {
        // The provider package builds the body.
        const tools = (body['tools'] ?? []) as { function: { name: string } }[]
        return tools.map((tool) => tool.function.name).filter((name) => name.startsWith('lab_'))
      }),
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  }
}

const SEARCH = reply({ toolCalls: [{ name: 'tool_search', input: { query: '39' }, id: 'call_s' }] })
const CALL = reply({ toolCalls: [{ name: 'lab_look_39', input: {}, id: 'call_l' }] })
const DONE = reply({ text: 'Done' })

test('MC-2 a tool that was found is called in the same turn and offered in later ones, until the search is rewound', async () => {
  await using lab = await openLab()
  lab.provider.script(SEARCH, CALL, DONE, DONE, DONE)
  const { messages } = await lab.turn('find it', lab.id)
  const [, call] = messages.at(-1)?.parts.filter(isToolPart) ?? []
  expect(call).toMatchObject({ type: 'tool-lab_look_39', output: { text: 'Did look_39' } })
  await lab.turn('again', lab.id)
  const [first, second, third, later] = lab.offered()
  expect(first).not.toContain('lab_look_39')
  expect(second).toEqual([...(first ?? []), 'lab_look_39'])
  expect(third).toEqual(second)
  expect(later).toEqual(second)
  const branch = await lab.sessions.history.branch({
    sessionId: lab.id,
    fromMessageId: messages.at(-1)?.id ?? '',
  })
  await lab.sessions.history.rewind({ sessionId: lab.id, messageId: messages[0]?.id ?? '' })
  await lab.turn('anew', lab.id)
  expect(lab.offered().at(-1)).toEqual(first)
  lab.provider.script(DONE)
  await lab.turn('there', branch.id)
  expect(lab.offered().at(-1)).toEqual(second)
})

test('MC-2 a server whose tools have the names of ours gets other ids for them', async () => {
  const mcp = createScriptedMcp({
    tool: [{ tools: ['search', ...NAMES] }],
    web: [{ tools: ['search', 'fetch'] }],
    memory: [{ tools: ['read', 'constructor'] }],
  })
  await using lab = await openCoreLab({ mcp })
  lab.provider.script(DONE)
  await lab.turn('hello', (await lab.sessions.create({})).id)
  const views = lab.sessions.mcp.servers().flatMap(({ tools }) => tools.map(({ id }) => id))
  expect(views.filter((id) => !id.startsWith('tool_look_'))).toEqual([
    expect.stringMatching(/^tool_search_[0-9a-f]{8}$/),
    expect.stringMatching(/^web_search_[0-9a-f]{8}$/),
    expect.stringMatching(/^web_fetch_[0-9a-f]{8}$/),
    expect.stringMatching(/^memory_read_[0-9a-f]{8}$/),
    'memory_constructor',
  ])
  const tools = (lab.steps[0]?.body['tools'] ?? []) as { function: { name: string } }[]
  const offered = tools.map((tool) => tool.function.name)
  expect(new Set(offered).size).toBe(offered.length)
})

test('MC-2 a tool that was not found is none that the model can call', async () => {
  await using lab = await openLab()
  lab.provider.script(CALL, DONE)
  const { messages } = await lab.turn('call it', lab.id)
  expect(messages.at(-1)?.parts.filter(isToolPart)[0]).toMatchObject({ state: 'output-error' })
})

test('MC-2 the prompt of a turn stays the same when tools are found', async () => {
  await using lab = await openLab()
  lab.provider.script(SEARCH, DONE, DONE)
  const first = await lab.turn('find it', lab.id)
  const second = await lab.turn('again', lab.id)
  const digest = (messages: typeof first.messages) => messages.at(-1)?.metadata?.systemPromptDigest
  expect(digest(second.messages)).toBe(digest(first.messages))
})
