import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isToolPart } from '@palimpsest/core/domain'
import { startTestServer, temporaryFolder } from '@palimpsest/server/testing'
import { reply } from '@palimpsest/testing'
import { lastAssistantMessageIsCompleteWithApprovalResponses as sendAutomaticallyWhen } from 'ai'
import { expect, test } from 'vitest'
import { chatTransport } from './chat-transport.ts'
import { createClient } from './create-client.ts'
import { openChat } from './testing/open-chat.ts'
import { textOf } from './testing/text-of.ts'

const writes = (path: string) => ({ name: 'write', input: { path, content: path } })
const READS = { name: 'read', input: { path: 'absent.txt' } }

async function openLab(transport: 'ws' | 'sse' = 'ws') {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const server = opened.use(await startTestServer({ workspaces: [folder.path] }))
  const client = opened.use(createClient({ url: server.url, transport }))
  const open = async (more: { messages?: Awaited<ReturnType<typeof stored>>; resume?: boolean } = {}) =>
    await openChat({
      id: 'chat',
      transport: chatTransport(client, { approvals: 'pause' }),
      sendAutomaticallyWhen,
      ...more,
    })
  const stored = async () => (await client.session.messages.query({ sessionId: 'chat' })).items
  const close = opened.move()
  return {
    server,
    client,
    open,
    stored,
    path: (name: string) => join(folder.path, name),
    [Symbol.asyncDispose]: () => close.disposeAsync(),
  }
}

type Lab = Awaited<ReturnType<typeof openLab>>
type Page = Awaited<ReturnType<Lab['open']>>

const callsOf = (message: Parameters<typeof textOf>[0]) => message?.parts.filter(isToolPart) ?? []
const asksIn = ({ messages }: Page['chat']) =>
  callsOf(messages.at(-1)).filter(({ state }) => state === 'approval-requested')

async function pausedWith(page: Page, asks: number) {
  const chat = await page.until((shown) => shown.status === 'ready' && asksIn(shown).length === asks)
  return asksIn(chat).map(({ approval }) => approval?.id ?? '')
}

for (const transport of ['ws', 'sse'] as const) {
  test(`CL-1 a stock useChat approves and denies calls, and shows each part once, over ${transport}`, async () => {
    await using lab = await openLab(transport)
    lab.server.provider.script(
      reply({ text: 'First. ', toolCalls: [writes('a.txt'), writes('b.txt'), READS] }),
      reply({ text: 'Second. ', toolCalls: [writes('c.txt')] }),
      reply({ text: 'Done.' }),
    )
    await using page = await lab.open()
    void page.chat.sendMessage({ text: 'hi' })
    const [a = '', b = ''] = await pausedWith(page, 2)
    await page.chat.addToolApprovalResponse({ id: a, approved: true })
    expect(existsSync(lab.path('a.txt'))).toBe(false)
    await page.chat.addToolApprovalResponse({ id: b, approved: false, reason: 'Not that one.' })
    const [c = ''] = await pausedWith(page, 1)
    await page.chat.addToolApprovalResponse({ id: c, approved: true })
    const chat = await page.until(
      ({ status, messages }) => status === 'ready' && textOf(messages[1]).endsWith('Done.'),
    )
    expect(textOf(chat.messages[1])).toBe('First. Second. Done.')
    expect(callsOf(chat.messages[1]).map(({ state }) => state)).toEqual([
      'output-available',
      'output-denied',
      'output-error',
      'output-available',
    ])
    expect(chat.messages[1]).toEqual((await lab.stored())[1])
    expect(await readFile(lab.path('c.txt'), 'utf8')).toBe('c.txt')
    expect(existsSync(lab.path('b.txt'))).toBe(false)
  })
}

test('CL-1 a page that opens while a permission is awaited can decide about it', async () => {
  await using lab = await openLab()
  lab.server.provider.script(reply({ toolCalls: [writes('a.txt')] }), reply({ text: 'Done.' }))
  await using first = await lab.open()
  void first.chat.sendMessage({ text: 'hi' })
  await pausedWith(first, 1)
  await using second = await lab.open({ messages: await lab.stored(), resume: true })
  const [ask = ''] = await pausedWith(second, 1)
  await second.chat.addToolApprovalResponse({ id: ask, approved: true })
  await second.until(({ status, messages }) => status === 'ready' && textOf(messages[1]) === 'Done.')
  expect(second.chat.messages[1]).toEqual((await lab.stored())[1])
})

test('CL-1 a permission that was decided elsewhere keeps its first reply, and the page shows the rest', async () => {
  await using lab = await openLab()
  lab.server.provider.script(reply({ toolCalls: [writes('a.txt')] }), reply({ text: 'Done.' }))
  await using page = await lab.open()
  void page.chat.sendMessage({ text: 'hi' })
  const [ask = ''] = await pausedWith(page, 1)
  await lab.client.permission.reply.mutate({ permissionId: ask, reply: 'deny', reason: 'No.' })
  await page.chat.addToolApprovalResponse({ id: ask, approved: true })
  await page.until(({ status, messages }) => status === 'ready' && textOf(messages[1]) === 'Done.')
  expect(existsSync(lab.path('a.txt'))).toBe(false)
  expect(page.chat.messages[1]).toEqual((await lab.stored())[1])
})

test('CL-1 without approvals in the transport the stream stays open until a permission is decided', async () => {
  await using lab = await openLab()
  lab.server.provider.script(reply({ toolCalls: [writes('a.txt')] }), reply({ text: 'Done.' }))
  await using page = await openChat({ id: 'chat', transport: chatTransport(lab.client) })
  void page.chat.sendMessage({ text: 'hi' })
  const chat = await page.until((shown) => asksIn(shown).length === 1)
  expect(chat.status).toBe('streaming')
  const [ask] = asksIn(chat)
  await lab.client.permission.reply.mutate({ permissionId: ask?.approval?.id ?? '', reply: 'once' })
  await page.until(({ status, messages }) => status === 'ready' && textOf(messages[1]) === 'Done.')
  expect(page.chat.messages[1]).toEqual((await lab.stored())[1])
})
