import { readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProviderRequest, reply, type ScriptedReply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { connect } from '../reliability/connection.ts'
import { startTestServer } from '../testing/index.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

/** Writes the files that a message names, one in each step; `task a b` has a subagent do that. */
function write({ body }: ProviderRequest): ScriptedReply {
  // The provider package builds the body from the conversation.
  const messages = body['messages'] as { role: string; content: unknown }[]
  const isPrompt = ({ role, content }: { role: string; content: unknown }) =>
    role === 'user' && /^(?:write|task) /.test(String(content))
  const at = messages.findLastIndex(isPrompt)
  const [verb, ...names] = String(messages[at]?.content).split(' ')
  const step = messages.slice(at).filter(({ role }) => role === 'assistant').length
  if (verb === 'task' && step === 0) {
    const input = { subagent_type: 'general', prompt: `write ${names.join(' ')}` }
    return reply({ toolCalls: [{ id: `task-${names.join()}`, name: 'task', input }] })
  }
  const name = verb === 'write' ? names[step] : undefined
  if (name === undefined) return reply({ text: 'Done' })
  return reply({ toolCalls: [{ id: `write-${name}`, name: 'write', input: { path: name, content: name } }] })
}

/** A server with two folders, and two clients of it. */
async function openLab() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const [a, b] = [join(folder.path, 'a'), join(folder.path, 'b')]
  await Promise.all([a, b].map((path) => mkdir(path)))
  const server = opened.use(await startTestServer({ workspaces: [a, b] }))
  server.provider.otherwise(write)
  const { api } = opened.use(connect(server.url))
  const other = opened.use(connect(server.url)).api
  const model = { providerId: 'lab', modelId: 'm1' }
  const create = (id: string, workspaceRoot = a) => api.session.create.mutate({ id, model, workspaceRoot })
  const held = opened.move()
  return {
    a,
    b,
    api,
    other,
    create,
    requests: server.provider.requests,
    send: (sessionId: string, text: string) =>
      api.session.send.mutate({ sessionId, message: { parts: [{ type: 'text', text }] } }),
    written: (path: string) => readdirSync(path).toSorted(),
    asks: (sessionId: string, count = 1) =>
      vi.waitFor(async () => {
        const { items } = await api.permission.pending.query({ sessionId })
        expect(items).toHaveLength(count)
        return items
      }, 20_000),
    idle: (sessionId: string) =>
      vi.waitFor(async () => {
        expect((await api.session.status.query({ sessionId })).state).toBe('idle')
      }, 20_000),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
}

type Failure = { data?: { appCode?: string } | null }
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ data }: Failure) => data?.appCode,
  )

test('PE-2 of replies at once by two clients one counts, and the call is made once', async () => {
  await using lab = await openLab()
  await lab.create('s')
  await lab.send('s', 'write one.txt')
  const [ask] = await lab.asks('s')
  const permissionId = ask?.id ?? ''
  const once = { permissionId, reply: 'once' } as const
  const replies = [lab.api, lab.other, lab.api, lab.other].map((by) =>
    codeOf(by.permission.reply.mutate(once)),
  )
  expect((await Promise.all(replies)).toSorted()).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT', 'done'])
  await lab.idle('s')
  expect(lab.written(lab.a)).toEqual(['one.txt'])
  const denied = lab.other.permission.reply.mutate({ permissionId, reply: 'deny' })
  expect(await codeOf(denied)).toBe('CONFLICT')
})

test('PE-2 a reply with an unknown id, another pattern or too long a reason is refused, and the call still waits', async () => {
  await using lab = await openLab()
  await lab.create('s')
  await lab.send('s', 'write one.txt')
  const [ask] = await lab.asks('s')
  const permissionId = ask?.id ?? ''
  for (const bad of [
    { permissionId: 'per_unknown', reply: 'once' },
    { permissionId, reply: 'session', pattern: '*' },
    { permissionId, reply: 'project', pattern: `${ask?.patterns[0]}x` },
    { permissionId, reply: 'deny', reason: 'x'.repeat(4_001) },
    { permissionId, reply: 'deny', reason: 'x'.repeat(300_000) },
  ] as const)
    expect(await codeOf(lab.api.permission.reply.mutate(bad))).toBe('INVALID_INPUT')
  expect((await lab.asks('s'))[0]?.id).toBe(permissionId)
  const odd = { permissionId, reply: 'deny', reason: 'No\u0000.\ud800' } as const
  expect(await codeOf(lab.api.permission.reply.mutate(odd))).toBe('done')
  await lab.idle('s')
  expect(lab.written(lab.a)).toEqual([])
  await lab.send('s', 'And now?')
  await lab.idle('s')
})

test('PE-3 a reply after Stop or after the deletion of the chat is a conflict, and nothing is written', async () => {
  await using lab = await openLab()
  const ends = {
    stopped: () => lab.api.session.abort.mutate({ sessionId: 'stopped' }),
    deleted: () => lab.api.session.delete.mutate({ sessionId: 'deleted' }),
  }
  for (const [id, end] of Object.entries(ends)) {
    await lab.create(id)
    await lab.send(id, `write ${id}.txt`)
    const [ask] = await lab.asks(id)
    await end()
    const late = lab.other.permission.reply.mutate({ permissionId: ask?.id ?? '', reply: 'once' })
    expect(await codeOf(late)).toBe('CONFLICT')
  }
  expect((await lab.api.permission.pending.query({})).items).toEqual([])
  expect(lab.written(lab.a)).toEqual([])
})

test('PE-2 what a subagent’s ask is allowed for the session counts for its chat and later subagents, and for no other chat', async () => {
  await using lab = await openLab()
  await lab.create('s')
  await lab.send('s', 'task docs/one.txt')
  const [ask] = await lab.asks('s')
  expect(ask).toMatchObject({ rootSessionId: 's' })
  expect(ask?.patterns).toContain('docs/*')
  await lab.api.permission.reply.mutate({ permissionId: ask?.id ?? '', reply: 'session', pattern: 'docs/*' })
  await lab.idle('s')
  for (const text of ['write docs/two.txt', 'task docs/three.txt']) {
    await lab.send('s', text)
    await lab.idle('s')
  }
  expect(lab.written(join(lab.a, 'docs'))).toEqual(['one.txt', 'three.txt', 'two.txt'])
  await lab.create('t')
  await lab.send('t', 'write docs/four.txt')
  await lab.asks('t')
  expect(lab.written(join(lab.a, 'docs'))).toHaveLength(3)
})

test('PE-2 what is allowed for the project counts for other chats of its folder, and for none of another folder', async () => {
  await using lab = await openLab()
  await lab.create('s')
  await lab.send('s', 'write docs/one.txt')
  const [ask] = await lab.asks('s')
  expect(ask?.patterns).toContain('docs/*')
  await lab.api.permission.reply.mutate({ permissionId: ask?.id ?? '', reply: 'project', pattern: 'docs/*' })
  await lab.idle('s')
  await lab.create('t')
  await lab.send('t', 'write docs/two.txt')
  await lab.idle('t')
  expect(lab.written(join(lab.a, 'docs'))).toEqual(['one.txt', 'two.txt'])
  await lab.create('u', lab.b)
  await lab.send('u', 'write docs/three.txt')
  await lab.asks('u')
  expect(lab.written(lab.b)).toEqual([])
})

test('PE-6 a mode counts from the next call on: what is asked stays asked, and the mode before comes back', async () => {
  await using lab = await openLab()
  await lab.create('s')
  const mode = (to: 'ask' | 'plan' | 'full-access') =>
    lab.api.permission.setMode.mutate({ sessionId: 's', mode: to })
  await lab.send('s', 'write one.txt two.txt')
  const [ask] = await lab.asks('s')
  await mode('full-access')
  expect((await lab.asks('s'))[0]?.id).toBe(ask?.id)
  expect(lab.written(lab.a)).toEqual([])
  await lab.api.permission.reply.mutate({ permissionId: ask?.id ?? '', reply: 'deny' })
  await lab.idle('s')
  expect(lab.written(lab.a)).toEqual(['two.txt'])
  await mode('plan')
  await lab.send('s', 'task three.txt four.txt')
  await lab.idle('s')
  await mode('ask')
  await lab.send('s', 'write five.txt')
  await lab.asks('s')
  expect(lab.written(lab.a)).toEqual(['two.txt'])
})
