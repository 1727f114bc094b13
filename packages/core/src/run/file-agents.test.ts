import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { childrenOf, newestOf, openSubagentLab, type Plans, task } from '@palimpsest/testing/subagent-lab.ts'
import { expect, test, vi } from 'vitest'

const agentFile = (model: string, mode = 'subagent') =>
  `---\ndescription: Reviews a change\nmode: ${mode}\nmodel: ${model}\ntools: [task]\n---\nYou review.`

const PLANS: Plans = {
  Go: [{ toolCalls: [task('Review', { subagent_type: 'reviewer' })] }, { text: 'Done' }],
  Review: [{ text: 'Reviewed' }],
}

/** A core in a folder with an agent, which a person has allowed. */
async function openLab(content: string, plans: Plans = PLANS) {
  const files = createMemoryFiles({ '.agents/agents/reviewer.md': content })
  const lab = await openSubagentLab(plans, undefined, [], { files })
  const [item] = await lab.sessions.sources.trust.list({})
  await lab.sessions.sources.trust.grant({}, item?.digest ?? '')
  return lab
}

test('SA-7 an agent of a file works as a subagent with its own model, prompt and tools', async () => {
  await using lab = await openLab(agentFile('lab/m2'))
  const { sessionId } = await lab.turn('Go')
  const [child] = await childrenOf(lab.sessions, sessionId)
  expect(child).toMatchObject({ agent: 'reviewer', model: { providerId: 'lab', modelId: 'm2' } })
  const [first, ofChild] = lab.steps.map(({ body }) => JSON.stringify(body))
  expect(first).toContain('- reviewer: Reviews a change')
  expect(ofChild).toContain('You review.')
  expect(lab.steps[1]?.body).toMatchObject({ model: 'm2', tools: [{ function: { name: 'task' } }] })
  expect((await newestOf(lab.sessions, sessionId)).calls).toMatchObject([
    { state: 'output-available', output: { text: expect.stringContaining('Reviewed') } },
  ])
})

test('SA-7 SA-2 a model that an agent names and that there is not is an error for the model, which names it', async () => {
  await using lab = await openLab(agentFile('lab/gone'))
  const { models } = lab.ports
  const find = models.find.bind(models)
  vi.spyOn(models, 'find').mockImplementation((ref) =>
    ref.modelId === 'gone' ? Promise.resolve(null) : find(ref),
  )
  const { sessionId } = await lab.turn('Go')
  expect(await childrenOf(lab.sessions, sessionId)).toEqual([])
  const { calls, text } = await newestOf(lab.sessions, sessionId)
  expect(calls).toMatchObject([{ state: 'output-error', errorText: expect.stringContaining('lab/gone') }])
  expect(text).toBe('Done')
})

test('SA-7 SA-2 an agent of a file that is for chats alone, or not allowed any more, is no subagent', async () => {
  await using forChats = await openLab(agentFile('lab/m2', 'primary'))
  const chat = await forChats.turn('Go')
  expect((await newestOf(forChats.sessions, chat.sessionId)).calls).toMatchObject([
    { state: 'output-error', errorText: expect.stringContaining('There is no subagent "reviewer"') },
  ])
  await using lab = await openLab(agentFile('lab/m2'))
  const [item] = await lab.sessions.sources.trust.list({})
  await lab.sessions.sources.trust.revoke(item?.digest ?? '')
  const { sessionId } = await lab.turn('Go')
  expect((await newestOf(lab.sessions, sessionId)).calls).toMatchObject([{ state: 'output-error' }])
})
