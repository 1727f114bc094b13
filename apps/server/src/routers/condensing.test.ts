import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ProviderRequest, reply } from '@palimpsest/testing'
import { expect, test } from 'vitest'
import { callProcedure, PROCEDURES } from '../testing/call-procedure.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const OUTPUT = 'needle '.repeat(1_000)

function answer({ body }: ProviderRequest) {
  const asked = JSON.stringify(body)
  if (asked.includes('Write a title')) return reply({ text: 'A title' })
  return asked.includes('You condense the output') ? reply({ text: 'A thousand needles.' }) : null
}

async function call(server: TestServer, path: string, input: unknown) {
  const procedure = PROCEDURES.find((known) => known.path === path)
  if (procedure === undefined) throw new Error(`There is no ${path}`)
  const { body, failure } = await callProcedure(server.url, procedure, input)
  expect(failure).toBeNull()
  return JSON.parse(body).result?.data
}

for (const store of ['memory', 'sqlite'] as const) {
  test(`PR-4 a condensed output is sent, branched, exported and imported with its reply (${store})`, async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'hay.txt'), OUTPUT)
    await using server = await startTestServer({ store, workspaces: [folder.path] })
    server.provider.intercept(answer)
    server.provider.script(
      reply({ toolCalls: [{ id: 'call_a', name: 'read', input: { path: 'hay.txt' } }] }),
      reply({ text: 'Found.' }),
    )
    server.provider.otherwise(reply({ text: 'Well.' }))
    await call(server, 'session.create', { id: 'chat', metadata: { compaction: { condense_above: 2_000 } } })
    const send = (sessionId: string) =>
      call(server, 'session.send', { sessionId, message: { parts: [{ type: 'text', text: 'Find' }] } })
    const replyOf = async (sessionId: string) =>
      (await call(server, 'session.messages', { sessionId })).items[1]
    await send('chat')
    await expect.poll(async () => (await replyOf('chat'))?.metadata.finishReason).toBe('stop')
    await expect.poll(async () => (await replyOf('chat')).metadata.condensed).toBeDefined()

    const { id, parts, metadata } = await replyOf('chat')
    expect(metadata.condensed).toMatchObject({
      call_a: {
        text: 'A thousand needles.',
        model: { providerId: 'lab' },
        ofCharacters: `1\t${OUTPUT}`.length,
      },
    })
    expect(JSON.stringify(parts)).toContain(OUTPUT)
    const branch = await call(server, 'session.branch', { sessionId: 'chat', fromMessageId: id })
    const { data } = await call(server, 'session.export', { sessionId: 'chat' })
    const imported = await call(server, 'session.import', { data })
    for (const copy of [branch, imported]) {
      expect((await replyOf(copy.id)).metadata.condensed).toEqual(metadata.condensed)
      await send(copy.id)
      await expect
        .poll(async () => (await call(server, 'session.status', { sessionId: copy.id })).state)
        .toBe('idle')
      const answers = JSON.stringify(
        server.provider.requests.findLast(({ body }) => body['stream'] === true)?.body,
      )
      expect(answers).toContain('A thousand needles.')
      expect(answers).not.toContain('needle needle')
    }

    await call(server, 'session.uncondense', { sessionId: 'chat', messageId: id, toolCallId: 'call_a' })
    const { condensed } = (await replyOf('chat')).metadata
    expect(condensed).toEqual({ call_a: { ...metadata.condensed.call_a, unused: true } })
    const whole = await call(server, 'session.export', { sessionId: 'chat' })
    const again = await call(server, 'session.import', whole)
    expect((await replyOf(again.id)).metadata.condensed).toEqual(condensed)
    const [entry] = await call(server, 'session.timeline', { sessionId: again.id })
    expect(entry).toMatchObject({ kind: 'uncondense', canUndo: true, detail: { toolCallId: 'call_a' } })
    const { targetMessageId: messageId, toolCallId } = entry.detail
    await call(server, 'session.recondense', { sessionId: again.id, messageId, toolCallId })
    expect((await replyOf(again.id)).metadata.condensed).toEqual(metadata.condensed)
  })
}
