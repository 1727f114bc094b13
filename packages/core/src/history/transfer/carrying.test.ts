import {
  counted,
  type HistoryLab,
  lastRequest,
  openHistoryLab,
  openTalk,
  textOf,
  trueMeter,
  words,
} from '@palimpsest/testing/history-lab.ts'
import { createMemoryWorkspaces } from '@palimpsest/testing/memory-workspaces.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../tool/tool.ts'

const dig = defineTool({
  id: 'dig',
  description: 'Digs',
  input: z.object({ tokens: z.number() }),
  requires: () => [],
  execute: ({ tokens }) => Promise.resolve({ text: words(tokens, 'found') }),
})

/** An export names the folder of its session, and an import has none. */
const openLab = () => openHistoryLab({ workspaces: createMemoryWorkspaces([]) }, { agent: { tools: [dig] } })

async function exported({ sessions }: HistoryLab, sessionId: string, format: 'jsonl' | 'json' = 'jsonl') {
  return (await Array.fromAsync(sessions.history.export({ sessionId, format }))).join('')
}

/** The lines of an export, with numbers in place of its ids in order of appearance, and without times of changes. */
function withoutIds(data: string): string {
  const ids = new Map<string, string>()
  return data.replace(/\b(ses|msg|prt|op)_[0-9a-z]{26}\b/g, (id) => {
    if (!ids.has(id)) ids.set(id, `#${ids.size}`)
    return ids.get(id) ?? id
  })
}

/** A session with every kind of row: a summary that has left an output out, rewound turns, an edited message. */
async function openMuch(lab: HistoryLab) {
  const { sessionId } = await openTalk(lab, [words(300, 'old'), 'Two'])
  lab.provider.script(
    (request) => counted(request, { toolCalls: [{ name: 'dig', input: { tokens: 1_200 } }] }),
    (request) => counted(request, { text: 'Nothing there.' }),
  )
  await lab.turn('Dig for me', sessionId)
  await lab.sessions.history.compact(sessionId)
  const { messages } = await lab.turn('Four', sessionId)
  const four = messages.findLast(({ role }) => role === 'user')?.id ?? ''
  await lab.sessions.history.rewind({ sessionId, messageId: four })
  await lab.turn('Instead of four', sessionId)
  return { sessionId, four }
}

test('OB-1 an imported session has the same bytes, view and window, and supports the same history operations', async () => {
  await using here = await openLab()
  const { sessionId, four } = await openMuch(here)
  const data = await exported(here, sessionId)
  await using there = await openLab()
  const { id } = await there.sessions.history.import([data])
  expect(id).toBe(sessionId)
  expect(await exported(there, sessionId)).toBe(data)
  expect(await there.visible(sessionId)).toEqual(await here.visible(sessionId))
  expect(await there.sessions.history.timeline(sessionId)).toEqual(
    await here.sessions.history.timeline(sessionId),
  )
  const [mine, theirs] = [await here.session(sessionId), await there.session(sessionId)]
  expect(theirs).toMatchObject({ contextWindow: mine.contextWindow, usage: mine.usage, canUnrewind: true })
  await trueMeter(there, sessionId)
  for (const lab of [here, there]) {
    await lab.sessions.history.unrewind({ sessionId })
    await lab.sessions.history.uncompact(sessionId)
    await lab.sessions.history.rewind({ sessionId, messageId: four })
    await trueMeter(lab, sessionId)
  }
  const idsIn = async (lab: HistoryLab) => (await lab.visible(sessionId)).map((message) => message.id)
  expect(await idsIn(there)).toEqual(await idsIn(here))
  expect((await there.visible(sessionId)).some(({ metadata }) => metadata?.prunedParts)).toBe(false)
})

test('OB-1 a session imported into its own host gets new ids, and both copies can be rewound', async () => {
  await using lab = await openLab()
  const { sessionId } = await openMuch(lab)
  const data = await exported(lab, sessionId)
  const copies = [await lab.sessions.history.import([data]), await lab.sessions.history.import([data])]
  expect(new Set([sessionId, ...copies.map(({ id }) => id)]).size).toBe(3)
  for (const { id } of copies) {
    expect(withoutIds(await exported(lab, id))).toBe(withoutIds(data))
    await trueMeter(lab, id)
    await lab.sessions.history.unrewind({ sessionId: id })
    await lab.sessions.history.uncompact(id)
    await trueMeter(lab, id)
    await lab.turn('And on', id)
  }
  // The original is unchanged.
  expect(await exported(lab, sessionId)).toBe(data)
})

test('OB-1 a branch without its parent becomes a root and continues from its summary', async () => {
  await using here = await openLab()
  const { sessionId } = await openMuch(here)
  const fromMessageId =
    (await here.visible(sessionId)).findLast(({ metadata }) => !metadata?.summary)?.id ?? ''
  const branch = await here.sessions.history.branch({ sessionId, fromMessageId })
  const data = await exported(here, branch.id)
  await using there = await openLab()
  const imported = await there.sessions.history.import([data])
  expect(imported).toMatchObject({ id: branch.id, parentId: null, parentMessageId: null })
  expect(await there.visible(branch.id)).toEqual(await here.visible(branch.id))
  await trueMeter(there, branch.id)
  await there.turn('Go on', branch.id)
  expect(lastRequest(there)[0]).toContain('Summary 1.')
  expect(await there.sessions.history.tree(branch.id)).toMatchObject({ ancestors: [], children: [] })
  // What its outputs were pruned of is in it, and can be restored there.
  expect(await there.sessions.history.unprune(branch.id)).toMatchObject({ parts: 1 })
})

test('OB-1 an export is imported in pieces of any size, as lines or as an array, with any line ends', async () => {
  await using here = await openLab()
  const { sessionId } = await openTalk(here, ['One "quoted",\n[\n]', 'Zwei, 三, 🜂'])
  const [lines, array] = [await exported(here, sessionId), await exported(here, sessionId, 'json')]
  expect(JSON.parse(array)).toEqual(
    lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
  const rows: unknown = JSON.parse(array)
  const forms = [
    ...[lines, array, lines.replaceAll('\n', '\r\n'), `\n\n${lines}\n`, lines.trimEnd()],
    ...[JSON.stringify(rows), JSON.stringify(rows, null, 2), JSON.stringify(rows, null, '\r\n\t')],
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...forms),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      async (form, cuts) => {
        await using there = await openLab()
        const places = [0, ...cuts.map((cut) => Math.floor(cut * form.length)).sort((a, b) => a - b)]
        const pieces = places.map((from, index) => form.slice(from, places[index + 1]))
        const { id } = await there.sessions.history.import(pieces)
        expect(await exported(there, id)).toBe(lines)
      },
    ),
    { numRuns: 24 },
  )
})

test('OB-1 an invalid line is named by its number, whatever it contains, and nothing is imported', async () => {
  await using lab = await openLab()
  const { sessionId } = await openTalk(lab, ['One'])
  const lines = (await exported(lab, sessionId)).trimEnd().split('\n')
  const before = (await lab.sessions.list({})).items.length
  for (const bad of [
    '{',
    'null',
    '5',
    '"text"',
    '{}',
    '{"type":"session"}',
    '{"type":"x","data":{}}',
    '[[1]]',
  ])
    for (const at of [1, lines.length]) {
      const spoilt = lines.toSpliced(at, 0, bad)
      for (const text of [spoilt.join('\n'), `[\n${spoilt.join(',\n')}\n]\n`]) {
        const importing = lab.sessions.history.import([text])
        await expect(importing).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'data' })
        await expect(importing).rejects.toThrow(`Line ${text.startsWith('[') ? at + 2 : at + 1} `)
      }
    }
  for (const nothing of [[], [''], ['[\n]\n'], ['\n\n'], ['[', ']'], ['[[[['], ['[]]]']])
    await expect(lab.sessions.history.import(nothing)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect((await lab.sessions.list({})).items).toHaveLength(before)
})

test('OB-1 a session exported during a run has the reply so far, and continues on another host', async () => {
  await using here = await openLab()
  const { sessionId } = await openTalk(here, ['One'])
  const gate = Promise.withResolvers<void>()
  const count = here.provider.requests.length
  here.provider.script(reply({ text: ['Half', ' and whole.'], hold: { before: 1, until: gate.promise } }))
  const { runId } = await here.say('Two', sessionId)
  await here.provider.received(count)
  for await (const chunks of here.sessions.stream({ sessionId, runId }))
    if (chunks.some((chunk) => chunk.type === 'text-delta')) break
  const data = await exported(here, sessionId)
  gate.resolve()
  await here.chunksOf(sessionId, runId)
  await using there = await openLab()
  await there.sessions.history.import([data])
  const view = await there.session(sessionId)
  expect(view.status.state).toBe('idle')
  expect(view.activeRun).toBeUndefined()
  await trueMeter(there, sessionId)
  const next = await there.sessions.continue(sessionId)
  await there.chunksOf(sessionId, next.runId)
  expect((await there.visible(sessionId)).map(textOf).filter((text) => text === 'Two')).toHaveLength(1)
  await there.sessions.history.branch({
    sessionId,
    fromMessageId: (await there.visible(sessionId))[0]?.id ?? '',
  })
})

test('SX-12 an agent that is not here stays that of its chat: nothing runs until a person chooses another', async () => {
  await using here = await openLab()
  const { sessionId } = await openMuch(here)
  const data = await exported(here, sessionId)
  await using there = await openLab()
  const foreign = data
    .replace('"agent":"assistant"', '"agent":"wizard"')
    .replaceAll('{\\"schema_version\\":1,', '{\\"schema_version\\":1,\\"agent\\":\\"wizard\\",')
  expect(foreign.match(/wizard/g)?.length).toBeGreaterThan(5)
  const session = await there.sessions.history.import([foreign])
  expect(session.agent).toBe('wizard')
  expect(await exported(there, session.id)).toBe(foreign)

  const message = { parts: [{ type: 'text' as const, text: 'Who is there?' }] }
  const refused = there.sessions.send({ sessionId: session.id, message })
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'agent' })
  expect(await exported(there, session.id)).toBe(foreign)

  there.provider.script((request) => counted(request, { text: 'Here I am.' }))
  const { runId = '' } = await there.sessions.send({ sessionId: session.id, message, agent: 'assistant' })
  await there.chunksOf(session.id, runId)
  expect((await there.visible(session.id)).slice(-1).map(textOf)).toEqual(['Here I am.'])
})

test('SX-12 a row that does not end is refused once it is too long, in both forms, and nothing is left', async () => {
  await using lab = await openLab()
  const piece = 'x'.repeat(2 ** 20)
  let sent = 0
  function* endless(begin: string) {
    sent = 0
    yield begin
    for (; sent < 128; sent++) yield piece
  }
  for (const begin of ['{"type":"session","data":{"title":"', '[{"type":"session","data":{"title":"']) {
    await expect(lab.sessions.history.import(endless(begin))).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      field: 'data',
      message: 'Line 1 is longer than 67108864 characters.',
    })
    expect(sent).toBeLessThan(70)
  }
  expect((await lab.sessions.list({})).items).toEqual([])
})
