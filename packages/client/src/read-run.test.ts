import type { ChatChunk } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { readRun } from './read-run.ts'
import { createFakeApi, refusal } from './testing/fake-api.ts'

const text = (delta: string): ChatChunk => ({ type: 'text-delta', id: String(delta.length), delta })
const FINISH: ChatChunk = { type: 'finish' }

test('LS-2 a slow reader gets everything that arrived meanwhile, in order', async () => {
  const fake = createFakeApi()
  const reading = readRun(fake.api, { sessionId: 's', runId: 'r' })
  const first = reading.next()
  const [stream] = fake.streams
  stream?.started()
  stream?.data([text('a'), text('bb')])
  expect((await first).value).toEqual(text('a'))
  stream?.data([text('ccc')])
  stream?.data([FINISH])
  stream?.complete()
  expect(await Array.fromAsync(reading)).toEqual([text('bb'), text('ccc'), FINISH])
})

test('LS-1 leaving the loop detaches', async () => {
  const fake = createFakeApi()
  const reading = readRun(fake.api, { sessionId: 's', runId: 'r' })
  const first = reading.next()
  fake.streams[0]?.started()
  fake.streams[0]?.data([text('a')])
  await first
  await reading.return()
  expect(fake.streams[0]?.open).toBe(false)
  expect(fake.calls).toEqual([])
})

test('AP-5 a refusal comes after all chunks before it', async () => {
  const fake = createFakeApi()
  const reading = readRun(fake.api, { sessionId: 's', runId: 'r' })
  const first = reading.next()
  const no = refusal(404, 'SESSION_NOT_FOUND')
  fake.streams[0]?.started()
  fake.streams[0]?.data([text('a'), text('bb')])
  fake.streams[0]?.error(no)
  expect((await first).value).toEqual(text('a'))
  expect((await reading.next()).value).toEqual(text('bb'))
  await expect(reading.next()).rejects.toBe(no)
})

test('LS-5 a run that is no longer kept is read as empty', async () => {
  const fake = createFakeApi()
  const reading = Array.fromAsync(readRun(fake.api, { sessionId: 's' }))
  fake.streams[0]?.started()
  fake.streams[0]?.complete()
  expect(await reading).toEqual([])
})

test('LS-2 chunks that come while the last ones are being read are read before the end', async () => {
  const fake = createFakeApi()
  const read: ChatChunk[] = []
  const reading = readRun(fake.api, { sessionId: 's' })
  const first = reading.next()
  fake.streams[0]?.started()
  fake.streams[0]?.data([text('a')])
  read.push((await first).value as ChatChunk)
  const second = reading.next()
  fake.streams[0]?.data([text('bb'), FINISH])
  fake.streams[0]?.complete()
  read.push((await second).value as ChatChunk)
  read.push(...(await Array.fromAsync(reading)))
  expect(read).toEqual([text('a'), text('bb'), FINISH])
})
