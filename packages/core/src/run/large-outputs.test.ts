import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { BLOB_PENDING_MS, blobHash } from '../domain/files/blob.ts'
import { wholeOutput } from '../domain/files/output-files.ts'
import { LIMITS } from '../domain/limits.ts'
import { isToolPart } from '../domain/message/message.ts'

const LINES = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`)
const done = reply({ text: 'Done' })
const read = (path: string, id: string, more: object = {}) => ({ name: 'read', input: { path, ...more }, id })

/** A chat in which the model has read a file of 108 kB. */
async function openLab() {
  const files = createMemoryFiles({ 'long.txt': LINES.join('\n') })
  const lab = await openCoreLab({ files })
  lab.provider.script(reply({ toolCalls: [read('long.txt', 'call_1')] }), done)
  const { sessionId } = await lab.turn('Read it')
  return Object.assign(lab, { sessionId })
}

async function callsOf({ sessions }: CoreLab, sessionId: string) {
  const { items } = await sessions.messages({ sessionId })
  return items.flatMap(({ parts }) => parts.filter(isToolPart))
}

async function wholeOf(lab: CoreLab, sessionId: string): Promise<string | null> {
  const [call] = await callsOf(lab, sessionId)
  const hash = blobHash(wholeOutput(call?.output)?.url ?? '')
  const content = hash === null ? null : await lab.core.blobs.read(hash)
  return content === null ? null : Buffer.concat(await Array.fromAsync(content)).toString()
}

const ALL = LINES.map((line, index) => `${index + 1}\t${line}`).join('\n')

test('TO-3 DA-15 a long result is in its row by its head, for the page and the model, and whole in a blob', async () => {
  await using lab = await openLab()
  const [call] = await callsOf(lab, lab.sessionId)
  const json = JSON.stringify(call?.output)
  expect(json.length).toBeLessThan(LIMITS.inlineFileBytes + 10_000)
  expect(call?.output).toMatchObject({ metadata: { truncated: true, output_path: 'output:call_1' } })
  expect(await wholeOf(lab, lab.sessionId)).toBe(ALL)
  const sent = JSON.stringify(lab.steps[1]?.body['messages'])
  expect(sent).toContain('read with the tool read: output:call_1')
  expect(sent).not.toContain('line 9999')
})

test('TO-3 the model reads the rest of a long result by its path, without a permission', async () => {
  await using lab = await openLab()
  lab.provider.script(
    reply({
      toolCalls: [
        read('output:call_1', 'call_2', { offset: 9_999 }),
        read('output:call_9', 'call_3'),
        read('output:../a', 'call_4'),
      ],
    }),
    done,
  )
  await lab.turn('And the rest?', lab.sessionId)
  expect((await callsOf(lab, lab.sessionId)).slice(1)).toMatchObject([
    { state: 'output-available', output: { text: '9999\t9999\tline 9999\n10000\t10000\tline 10000' } },
    { state: 'output-error' },
    { state: 'output-error' },
  ])
})

test('TO-3 what is read of a long result fits a row', async () => {
  await using lab = await openLab()
  lab.provider.script(reply({ toolCalls: [read('output:call_1', 'call_2')] }), done)
  await lab.turn('All of it', lab.sessionId)
  const again = (await callsOf(lab, lab.sessionId))[1]
  expect(again?.output).toMatchObject({ text: expect.stringMatching(/\[Lines 1 to \d+ of 10000/) })
  expect(wholeOutput(again?.output)).toBeNull()
})

test('DA-15 a long result goes with a branch, an export and an import, and stays as long as a message names it', async () => {
  await using lab = await openLab()
  const { items } = await lab.sessions.messages({ sessionId: lab.sessionId })
  const { history } = lab.sessions
  const branch = await history.branch({ sessionId: lab.sessionId, fromMessageId: items.at(-1)?.id ?? '' })
  const lines = await Array.fromAsync(history.export({ sessionId: lab.sessionId, files: true }))
  await lab.sessions.delete(lab.sessionId)
  await lab.sessions.purge(lab.sessionId)
  expect(await wholeOf(lab, branch.id)).toBe(ALL)
  await using other = await openCoreLab()
  const session = await other.sessions.history.import(lines)
  expect(await wholeOf(other, session.id)).toBe(ALL)
  expect(await other.ports.store.blobs.collect(Date.now() + BLOB_PENDING_MS)).toEqual([])
})
