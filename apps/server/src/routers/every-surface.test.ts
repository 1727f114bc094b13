import type { ChatChunk } from '@palimpsest/core/domain'
import { reply } from '@palimpsest/testing'
import { describe, expect, test } from 'vitest'
import { SURFACES, type Surface } from '../testing/surfaces.ts'

const sessionId = 'chat'
const TEXT = (text: string) => ({ parts: [{ type: 'text', text }] })

type Sent = { messageId: string; runId: string; queued: boolean }
type Page = { items: { id: string; role: string }[] }

const send = async (surface: Surface, id: string, text: string) =>
  (await surface.call('session.send', { sessionId, message: { id, ...TEXT(text) } })) as Sent

const idsOf = async (surface: Surface, query: object = {}) =>
  ((await surface.call('session.messages', { sessionId, ...query })) as Page).items.map(({ id }) => id)

const textOf = (chunks: ChatChunk[]) =>
  chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('')

/** The scenarios that every surface passes. A surface that is added needs an entry in `SURFACES`, and nothing here. */
describe.each(Object.entries(SURFACES))('%s', (name, open) => {
  test(`SV-1 ${name} creates, answers, renames, archives and deletes a session`, async () => {
    await using surface = await open()
    const { call, provider } = surface
    provider.otherwise(reply({ text: ['Hello', ' there'] }))
    const created = await call('session.create', { id: sessionId, metadata: { from: 'a test' } })
    expect(created).toMatchObject({ id: sessionId, title: 'New chat', metadata: { from: 'a test' } })
    expect(await call('session.create', { id: sessionId, metadata: { from: 'a test' } })).toEqual(created)
    await expect(call('session.create', { id: sessionId, title: 'Other' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    const sent = await send(surface, 'm1', 'Good morning')
    expect(sent).toEqual({ messageId: 'm1', runId: expect.stringMatching(/^run_/), queued: false })
    const chunks = await surface.chunks(sessionId, sent.runId)
    expect(textOf(chunks)).toBe('Hello there')
    expect([chunks.at(0)?.type, chunks.at(-1)?.type]).toEqual(['start', 'finish'])
    expect(await send(surface, 'm1', 'Good morning')).toEqual(sent)
    expect(await call('session.status', { sessionId })).toEqual({ state: 'idle' })
    const { items } = (await call('session.messages', { sessionId })) as Page
    expect(items.map(({ role }) => role)).toEqual(['user', 'assistant'])

    await call('session.rename', { sessionId, title: ' Named ' })
    expect(await call('session.list', { search: 'Named' })).toMatchObject({ items: [{ id: sessionId }] })
    await call('session.archive', { sessionId })
    expect(await call('session.list', {})).toMatchObject({ items: [] })
    await expect(send(surface, 'm2', 'And now?')).rejects.toMatchObject({ code: 'SESSION_ARCHIVED' })
    await call('session.unarchive', { sessionId })
    expect(await call('session.delete', { sessionId })).toEqual({ deleted: true })
    await expect(call('session.get', { sessionId })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  test(`SV-1 ${name} queues, edits, reorders, cancels, promotes and aborts`, async () => {
    await using surface = await open()
    const { call, provider } = surface
    provider.otherwise(reply({ text: ['Wait'], ending: 'stall' }))
    await call('session.create', { id: sessionId, title: 'Queue' })
    const { runId } = await send(surface, 'm1', 'One')
    expect(await call('session.get', { sessionId })).toMatchObject({ status: { state: 'busy', runId } })
    for (const id of ['x', 'y', 'z'])
      expect(await send(surface, id, id)).toEqual({ messageId: id, queued: true })
    await call('queue.edit', { sessionId, messageId: 'y', ...TEXT('edited') })
    await call('queue.reorder', { sessionId, messageIds: ['z', 'y', 'x'] })
    await expect(call('queue.reorder', { sessionId, messageIds: ['z'] })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    expect(await call('queue.cancel', { sessionId, messageId: 'x' })).toEqual({ cancelled: true })
    expect(await call('queue.list', { sessionId })).toMatchObject([
      { id: 'z' },
      { id: 'y', parts: [{ text: 'edited' }] },
    ])
    const promoted = (await call('queue.promote', { sessionId, messageId: 'y' })) as Sent
    expect((await surface.chunks(sessionId, runId)).at(-1)?.type).toBe('abort')
    expect(await call('session.abort', { sessionId, runId })).toEqual({ aborted: false })
    expect(await call('session.abort', { sessionId, runId: promoted.runId })).toEqual({ aborted: true })
  })

  test(`SV-1 ${name} rewinds, restores, branches, sends again, exports and imports`, async () => {
    await using surface = await open()
    const { call, provider } = surface
    provider.otherwise(reply({ text: 'Done.' }))
    await call('session.create', { id: sessionId, title: 'History' })
    for (const id of ['m1', 'm2']) await surface.chunks(sessionId, (await send(surface, id, id)).runId)
    const all = await idsOf(surface)
    expect(await call('session.rewind', { sessionId, messageId: 'm1' })).toMatchObject({ hidden: 3 })
    expect(await idsOf(surface)).toEqual(['m1'])
    expect(await idsOf(surface, { hidden: true })).toEqual(all)
    expect(await call('session.unrewind', { sessionId })).toMatchObject({ restored: 3 })
    expect(await idsOf(surface)).toEqual(all)
    await surface.chunks(
      sessionId,
      ((await call('session.resend', { sessionId, messageId: 'm1' })) as Sent).runId,
    )
    const second = (await idsOf(surface))[1] ?? ''
    const { versions, current } = (await call('session.versions', { sessionId, messageId: second })) as {
      versions: { operationId: string | null }[]
      current: number
    }
    expect([versions.length, current]).toEqual([2, 1])
    const operationId = versions[0]?.operationId
    await call('session.switchVersion', { sessionId, messageId: second, operationId })
    expect(await idsOf(surface)).toEqual(all)
    const [point] = (await call('session.restorePoints', { sessionId })) as {
      pointId: string
      label: string
    }[]
    expect(point?.label).toMatch(/^Before you switched the version, \d\d:\d\d$/)
    const then = (await call('session.preview', { sessionId, pointId: point?.pointId })) as Page
    expect(then.items.map(({ id }) => id)).toEqual(['m1', second])
    expect(await idsOf(surface)).toEqual(all)
    await call('session.restoreTo', { sessionId, pointId: point?.pointId })
    expect(await idsOf(surface)).toEqual(['m1', second])
    await call('session.unrewind', { sessionId })
    expect(await idsOf(surface)).toEqual(all)
    const branch = (await call('session.branch', { sessionId, fromMessageId: 'm2' })) as { id: string }
    expect(await call('session.tree', { sessionId })).toMatchObject({ children: [branch.id] })
    const { runId } = (await call('session.resend', { sessionId, messageId: 'm2' })) as Sent
    expect(textOf(await surface.chunks(sessionId, runId))).toBe('Done.')
    const { data } = (await call('session.export', { sessionId })) as { data: string }
    const copy = (await call('session.import', { data })) as { id: string }
    expect(await idsOf(surface, { sessionId: copy.id })).toHaveLength(4)
  })

  test(`SV-1 ${name} reports the same error codes`, async () => {
    await using surface = await open()
    const { call, provider } = surface
    provider.otherwise(reply({ text: ['Wait'], ending: 'stall' }))
    await call('session.create', { id: sessionId, title: 'Errors' })
    await send(surface, 'm1', 'One')
    const refused: [path: string, input: object, code: string][] = [
      ['session.get', { sessionId: 'none' }, 'SESSION_NOT_FOUND'],
      ['session.rewind', { sessionId, messageId: 'm1' }, 'SESSION_BUSY'],
      ['session.continue', { sessionId }, 'SESSION_BUSY'],
      ['session.rename', { sessionId, title: 'x'.repeat(201) }, 'INVALID_INPUT'],
      ['session.send', { sessionId, message: { parts: [] } }, 'INVALID_INPUT'],
      ['queue.edit', { sessionId, messageId: 'none', ...TEXT('x') }, 'MESSAGE_NOT_FOUND'],
      ['session.import', { data: 'no export' }, 'INVALID_INPUT'],
    ]
    for (const [path, input, code] of refused)
      await expect(call(path, input), path).rejects.toMatchObject({ code })
    expect(await call('session.abort', { sessionId })).toEqual({ aborted: true })
    await expect(call('session.rewind', { sessionId, messageId: 'none' })).rejects.toMatchObject({
      code: 'MESSAGE_NOT_FOUND',
    })
  })
})
