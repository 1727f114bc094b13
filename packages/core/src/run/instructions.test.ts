import { type CoreLab, openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { createMemoryFiles, type MemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { createMemoryStore } from '@palimpsest/testing/memory-store/memory-store.ts'
import { createMemoryTables } from '@palimpsest/testing/memory-store/tables.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { questionTool } from '../tool/question.ts'
import { defineTool } from '../tool/tool.ts'

function put(files: MemoryFiles, path: string, text: string): void {
  files.contents.set(path, new TextEncoder().encode(text))
}

/** The system prompt of each step. */
function promptsOf(lab: CoreLab): string[] {
  return lab.steps.map(({ body }) => {
    const [first] = body['messages'] as { role: string; content: string }[]
    return first?.role === 'system' ? first.content : ''
  })
}

/** A tool that changes the instructions of the project while a run is on. */
function changing(files: MemoryFiles) {
  return defineTool({
    id: 'change',
    description: 'Changes',
    input: z.object({}),
    requires: () => [],
    execute: () => {
      put(files, 'AGENTS.md', 'Use npm.')
      return Promise.resolve({ text: 'Changed' })
    },
  })
}

test('SY-3 the instructions of the workspace are in the prompt, in their order and labelled', async () => {
  const files = createMemoryFiles({ 'AGENTS.md': 'Use pnpm.', 'CONTEXT.md': 'A chat.' })
  await using lab = await openCoreLab({ files })
  await lab.sessions.settings.set({ instructions: 'Be brief.' })
  lab.provider.script(reply({ text: 'Hello' }))
  const { messages } = await lab.turn('Hi')
  const [prompt = ''] = promptsOf(lab)
  const places = ['Be brief.', 'files of the repository', 'Use pnpm.', 'A chat.', '# Environment'].map(
    (text) => prompt.indexOf(text),
  )
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
  expect(messages[1]?.metadata).not.toHaveProperty('instructionsCut')
})

test('SY-1 SY-3 a file that changes in a turn counts from the next one on', async () => {
  const files = createMemoryFiles({ 'AGENTS.md': 'Use pnpm.' })
  await using lab = await openCoreLab({ files }, { agent: { tools: [changing(files)] } })
  lab.provider.script(
    reply({ toolCalls: [{ name: 'change', input: {} }] }),
    reply({ text: 'Done' }),
    reply({ text: 'Hello' }),
  )
  const { sessionId } = await lab.turn('Change it')
  await lab.turn('And now', sessionId)
  const [first, second, third] = promptsOf(lab)
  expect(second).toBe(first)
  expect(first).toContain('Use pnpm.')
  expect(third).toContain('Use npm.')
})

test('SY-1 SY-3 a turn that has waited for a person goes on with the prompt it began with, after a restart too', async () => {
  const tables = createMemoryTables()
  const files = createMemoryFiles({ 'AGENTS.md': 'Use pnpm.' })
  const settings = { agent: { tools: [questionTool] } }
  const questions = [{ question: 'Left?', options: [{ label: 'Yes' }, { label: 'No' }] }]
  const before = await openCoreLab({ files, store: createMemoryStore(tables) }, settings)
  before.provider.script(reply({ toolCalls: [{ name: 'question', input: { questions } }] }))
  const { sessionId } = await before.say('Go')
  await expect.poll(() => before.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
  const [first] = promptsOf(before)
  await before[Symbol.asyncDispose]()

  put(files, 'AGENTS.md', 'Use npm.')
  await using lab = await openCoreLab({ files, store: createMemoryStore(tables) }, settings)
  lab.provider.script(reply({ text: 'Left it is' }))
  await lab.core.recover()
  const [pending] = await lab.sessions.questions.pending(sessionId)
  await lab.sessions.questions.answer(pending?.id ?? '', [['Yes']])
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  expect(promptsOf(lab)).toEqual([first])
})

test('SY-3 a reply names the files that its prompt does not hold whole', async () => {
  const files = createMemoryFiles({ 'AGENTS.md': 'x'.repeat(40_000) })
  await using lab = await openCoreLab({ files })
  lab.provider.script(reply({ text: 'Hello' }))
  const { messages } = await lab.turn('Hi')
  expect(messages[1]?.metadata?.instructionsCut).toEqual(['AGENTS.md'])
})

test('SY-3 a compaction leaves the instructions in the prompt', async () => {
  const files = createMemoryFiles({ 'AGENTS.md': 'Use pnpm.' })
  await using lab = await openHistoryLab({ files })
  const { sessionId } = await lab.turn(words(1_000))
  await lab.turn('Two', sessionId)
  await lab.turn('Three', sessionId)
  await lab.sessions.history.compact(sessionId)
  await lab.turn('Four', sessionId)
  expect(promptsOf(lab).at(-1)).toContain('Use pnpm.')
})
