import { setImmediate } from 'node:timers/promises'
import { openHistoryLab } from '@palimpsest/testing/history-lab.ts'
import { createMemorySnapshots } from '@palimpsest/testing/memory-snapshots.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../tool/tool.ts'

/** A session with a tool that writes a file, whose captures wait for `capture` from the first one on. */
async function openLab() {
  const snapshots = createMemorySnapshots()
  const { capture } = snapshots
  const held = Promise.withResolvers<void>()
  const states: (string | null)[] = []
  snapshots.capture = async (root) => {
    await held.promise
    const state = await capture(root)
    states.push(state)
    return state
  }
  const files = snapshots.filesOf('/workspace')
  const write = defineTool({
    id: 'note',
    description: 'Writes a file',
    input: z.object({ text: z.string() }),
    requires: () => [{ permission: 'read', pattern: 'a' }],
    execute({ text }) {
      files.set('a', text)
      return Promise.resolve({ text: 'Written' })
    },
  })
  const lab = await openHistoryLab({ snapshots }, { agent: { tools: [write] } })
  const { id } = await lab.sessions.create({ title: 'Named' })
  return {
    lab,
    id,
    files,
    states,
    capture: held.resolve,
    async [Symbol.asyncDispose]() {
      held.resolve()
      await lab[Symbol.asyncDispose]()
    },
  }
}

/** In as many turns of the loop a request arrives, and a call is made, several times over. */
async function whileNothingHappens() {
  for (let turn = 0; turn < 300; turn++) await setImmediate()
}

const CALL = reply({ toolCalls: [{ name: 'note', input: { text: 'new' } }] })

test('RW-5 the model is asked while the state of the files is being captured; its calls wait for that', async () => {
  await using opened = await openLab()
  const { lab, id, files, states } = opened
  files.set('a', 'old')
  lab.provider.script(CALL, reply({ text: 'Done' }))
  const { runId } = await lab.say('Write', id)
  await expect.poll(() => lab.provider.requests).toHaveLength(1)
  await whileNothingHappens()
  expect(files.get('a')).toBe('old')
  opened.capture()
  await lab.chunksOf(id, runId)
  const [question, answer] = await lab.visible(id)
  expect(files.get('a')).toBe('new')
  expect(question?.metadata?.snapshotId).toBe(states[0])
  expect(answer?.metadata?.workspace).toEqual({ before: states[0], after: states[1] })
  await lab.sessions.history.rewind({ sessionId: id, messageId: question?.id ?? '' })
  expect(files.get('a')).toBe('old')
})

test('RW-5 a run without a call captures no state at its end, and what a person changes in it is not its change', async () => {
  await using opened = await openLab()
  const { lab, id, files, states } = opened
  opened.capture()
  lab.provider.script(() => {
    files.set('a', 'by hand')
    return reply({ text: 'Well' })
  })
  await lab.turn('Talk', id)
  const [question, answer] = await lab.visible(id)
  expect(states).toHaveLength(1)
  expect(question?.metadata?.snapshotId).toBe(states[0])
  expect(answer?.metadata).not.toHaveProperty('workspace')
  await lab.sessions.history.rewind({ sessionId: id, messageId: question?.id ?? '' })
  expect(files.get('a')).toBe('by hand')
})

test('RW-5 a run ends once the state of the files at its sending is on its message', async () => {
  await using opened = await openLab()
  const { lab, id, states } = opened
  const { runId } = await lab.say('Talk', id)
  await expect.poll(() => lab.provider.requests).toHaveLength(1)
  await whileNothingHappens()
  expect(await lab.sessions.status(id)).toMatchObject({ state: 'busy' })
  opened.capture()
  await lab.chunksOf(id, runId)
  expect((await lab.visible(id))[0]?.metadata?.snapshotId).toBe(states[0])
})
