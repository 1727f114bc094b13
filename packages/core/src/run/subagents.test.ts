import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { reduceBySdk } from '@palimpsest/testing/reduce-by-sdk.ts'
import type { ProviderRequest } from '@palimpsest/testing/scripted-provider.ts'
import { childrenOf, newestOf, openSubagentLab, type Plans, task } from '@palimpsest/testing/subagent-lab.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const text = (request: ProviderRequest | undefined) => JSON.stringify(request?.body)
const COUNTS: Plans = {
  'How many?': [{ text: 'I ask', toolCalls: [task('Count')] }, { text: 'So it is seven' }],
  Count: [{ text: 'There are 7 files' }],
}

test('SA-1 SA-3 a subagent runs the same loop in a session of its own, and its final text is the result', async () => {
  await using lab = await openSubagentLab(COUNTS)
  const { sessionId, chunks } = await lab.turn('How many?')
  const [child] = await childrenOf(lab.sessions, sessionId)
  const { message, calls, text: last } = await newestOf(lab.sessions, sessionId)
  expect(child).toMatchObject({
    parentId: sessionId,
    parentMessageId: message?.id,
    agent: 'general',
    title: 'Count',
    metadata: { subagent: { ancestors: [sessionId], callerAgent: 'assistant' } },
  })
  expect(calls).toMatchObject([
    {
      state: 'output-available',
      toolMetadata: { session_id: child?.id, agent: 'general' },
      output: {
        text: expect.stringMatching(/^There are 7 files\n\n.*ses_/s),
        data: { sessionId: child?.id, agent: 'general' },
      },
    },
  ])
  expect(last).toBe('So it is seven')
  expect(chunks.filter(({ type }) => type === 'finish')).toHaveLength(1)
  expect(await reduceBySdk(chunks)).toEqual(message)
  const [, ofChild, again] = lab.steps
  expect(text(ofChild)).not.toContain('How many?')
  expect(text(ofChild)).toContain('You are a subagent')
  expect(text(again)).toContain('There are 7 files')
  expect((await newestOf(lab.sessions, child?.id ?? '')).message?.metadata?.finishReason).toBe('stop')
})

test('SA-1 the session of a subagent is in no list but that of its parent’s children, and goes with its parent', async () => {
  await using lab = await openSubagentLab(COUNTS)
  const { sessionId } = await lab.turn('How many?')
  const [child] = await childrenOf(lab.sessions, sessionId)
  const childId = child?.id ?? ''
  const ids = async (query: object) => (await lab.sessions.list(query)).items.map(({ id }) => id)
  expect(await ids({})).toEqual([sessionId])
  expect(await ids({ search: 'Count' })).toEqual([])
  expect(await ids({ parentId: sessionId })).toEqual([childId])
  await lab.sessions.delete(sessionId)
  await expect(lab.sessions.get(childId)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  expect(await ids({ deleted: true })).toEqual([sessionId])
  await lab.sessions.restore(sessionId)
  expect(await lab.sessions.get(childId)).toMatchObject({ id: childId })
  await lab.sessions.delete(sessionId)
  await lab.sessions.purge(sessionId)
  expect(await ids({ deleted: true, parentId: sessionId })).toEqual([])
})

test('SA-1 a branch or an import of a subagent is an ordinary chat', async () => {
  await using lab = await openSubagentLab(COUNTS)
  const { sessionId } = await lab.turn('How many?')
  const [child] = await childrenOf(lab.sessions, sessionId)
  const childId = child?.id ?? ''
  const { message } = await newestOf(lab.sessions, childId)
  const branch = await lab.sessions.history.branch({ sessionId: childId, fromMessageId: message?.id ?? '' })
  expect(branch.metadata).not.toHaveProperty('subagent')
  const lines = (await Array.fromAsync(lab.sessions.history.export({ sessionId: childId }))).join('')
  const imported = await lab.sessions.history.import([lines])
  expect(imported.metadata).not.toHaveProperty('subagent')
  expect((await lab.sessions.list({})).items.map(({ id }) => id)).toEqual(
    expect.arrayContaining([sessionId, branch.id, imported.id]),
  )
})

test('SA-1 no caller of the service makes a session that of a subagent', async () => {
  await using lab = await openCoreLab()
  const subagent = { ancestors: ['ses_x'], callerAgent: 'assistant', askId: null }
  await expect(lab.sessions.create({ metadata: { subagent } })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'metadata.subagent',
  })
  await expect(lab.sessions.create({ agent: 'explore' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'agent',
  })
})

test('SA-3 subagents of one step work at the same time, and each call gets its own result', async () => {
  const meeting = Promise.withResolvers<void>()
  let arrived = 0
  const meet = (words: string) => ({
    get text() {
      arrived += 1
      if (arrived === 2) meeting.resolve()
      return words
    },
    hold: { before: 0, until: meeting.promise },
  })
  await using lab = await openSubagentLab({
    Go: [{ toolCalls: [task('One'), task('Two')] }, { text: 'Both' }],
    One: [meet('First')],
    Two: [meet('Second')],
  })
  const { sessionId } = await lab.turn('Go')
  const { calls, text: last } = await newestOf(lab.sessions, sessionId)
  expect(calls.map((call) => JSON.stringify(call.output))).toEqual([
    expect.stringContaining('First'),
    expect.stringContaining('Second'),
  ])
  expect(last).toBe('Both')
})

test.for([
  { call: task('Work', { subagent_type: 'nobody' }), error: 'There is no subagent "nobody"' },
  { call: task('Work', { subagent_type: 'assistant' }), error: 'There is no subagent "assistant"' },
  { call: task('Fail'), error: 'The subagent failed' },
])('SA-2 $error is an error for the model, and the run goes on', async ({ call, error }) => {
  await using lab = await openSubagentLab({ Go: [{ toolCalls: [call] }, { text: 'Then not' }] })
  const { sessionId } = await lab.turn('Go')
  const { message, calls, text: last } = await newestOf(lab.sessions, sessionId)
  expect(calls).toMatchObject([{ state: 'output-error', errorText: expect.stringContaining(error) }])
  expect(last).toBe('Then not')
  expect(message?.metadata?.finishReason).toBe('stop')
})

test('SA-2 subagents nest five deep, and the sixth is an error for the model', async () => {
  const levels = ['Go', 'L1', 'L2', 'L3', 'L4', 'L5']
  const plans = levels.map((level, index) => [
    level,
    [{ toolCalls: [task(`L${index + 1}`)] }, { text: `End of ${level}` }],
  ])
  await using lab = await openSubagentLab(Object.fromEntries(plans))
  const { sessionId } = await lab.turn('Go')
  expect((await newestOf(lab.sessions, sessionId)).text).toBe('End of Go')
  let deepest = sessionId
  let depth = 0
  for (let [child] = await childrenOf(lab.sessions, deepest); child !== undefined; depth += 1) {
    deepest = child.id
    ;[child] = await childrenOf(lab.sessions, deepest)
  }
  expect(depth).toBe(5)
  expect((await newestOf(lab.sessions, deepest)).calls).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('5 deep') },
  ])
})

test('SA-3 whatever a subagent answers, its last words are the result', async () => {
  const words = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => value.trim() !== '')
  await fc.assert(
    fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 3 }), async (texts) => {
      const steps = texts.map((said, index) =>
        index < texts.length - 1
          ? { text: said, toolCalls: [{ name: 'run', input: { command: 'look' }, id: `c${index}` }] }
          : { text: said },
      )
      await using lab = await openSubagentLab({
        Go: [{ toolCalls: [task('Work')] }, { text: 'Done' }],
        Work: steps,
      })
      const { sessionId } = await lab.turn('Go')
      const [call] = (await newestOf(lab.sessions, sessionId)).calls
      expect(call?.output).toMatchObject({ text: expect.stringContaining(texts.at(-1) ?? '') })
    }),
    { numRuns: 15 },
  )
})
