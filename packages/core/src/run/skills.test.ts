import { openCoreLab } from '@palimpsest/testing/core-lab.ts'
import { openHistoryLab, words } from '@palimpsest/testing/history-lab.ts'
import { createMemoryFiles } from '@palimpsest/testing/memory-files.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'
import { isToolPart } from '../domain/message/message.ts'
import { readTool } from '../tool/read.ts'
import { skillTool } from '../tool/skill.ts'
import { todoTool } from '../tool/todo.ts'

const SKILL = '---\nname: pdf\ndescription: Reads PDF files\nallowed-tools: Bash\n---\nUse pdftotext.'
const loads = (name: string, id = 'call_s') => ({ name: 'skill', input: { name }, id })
const withSkill = () => createMemoryFiles({ '.agents/skills/pdf/SKILL.md': SKILL })

const bodiesIn = (request: { body: unknown } | undefined) =>
  JSON.stringify(request?.body).match(/Use pdftotext\./g)?.length ?? 0

test('SY-4 the prompt has names and descriptions only, and the tool loads a body in its element', async () => {
  await using lab = await openCoreLab({ files: withSkill() })
  lab.provider.script(reply({ toolCalls: [loads('pdf')] }), reply({ text: 'I know now' }))
  const { messages } = await lab.turn('Read the PDF')
  const [first, second] = lab.steps.map(({ body }) => JSON.stringify(body))
  expect(first).toContain('- pdf: Reads PDF files')
  expect(first).not.toContain('pdftotext')
  expect(second).toContain(String.raw`<skill name=\"pdf\">\nUse pdftotext.\n</skill>`)
  const output = messages[1]?.parts.filter(isToolPart)[0]
  expect(output).toMatchObject({ state: 'output-available', output: { data: { skill: 'pdf' } } })
})

test('SY-4 a second call answers that the skill is loaded, in the same step, a later one and a later turn', async () => {
  await using lab = await openCoreLab({ files: withSkill() })
  lab.provider.script(
    reply({ toolCalls: [loads('pdf', 'call_1'), loads('pdf', 'call_2')] }),
    reply({ toolCalls: [loads('pdf', 'call_3')] }),
    reply({ text: 'Yes' }),
    reply({ toolCalls: [loads('pdf', 'call_4')] }),
    reply({ text: 'Again' }),
  )
  const { sessionId } = await lab.turn('Read it')
  await lab.turn('And again', sessionId)
  expect(bodiesIn(lab.steps.at(-1))).toBe(1)
  expect(JSON.stringify(lab.steps.at(-1)?.body).match(/is loaded already/g)).toHaveLength(3)
})

test('SY-4 a name that is not there is an error for the model, with the names that are', async () => {
  await using lab = await openCoreLab({ files: withSkill() })
  lab.provider.script(reply({ toolCalls: [loads('docx')] }), reply({ text: 'Oh' }))
  const { messages } = await lab.turn('Go')
  expect(messages[1]?.parts.filter(isToolPart)[0]).toMatchObject({
    state: 'output-error',
    errorText: 'There is no skill docx. There are: pdf.',
  })
})

test('SY-4 after a rewind behind it a skill is loaded again', async () => {
  await using lab = await openCoreLab({ files: withSkill() })
  lab.provider.script(reply({ toolCalls: [loads('pdf')] }), reply({ text: 'One' }))
  const { sessionId, messages } = await lab.turn('Read it')
  lab.provider.script(reply({ toolCalls: [loads('pdf')] }), reply({ text: 'Two' }))
  await lab.sessions.resend({ sessionId, messageId: messages[0]?.id ?? '' })
  await expect.poll(() => lab.sessions.status(sessionId)).toEqual({ state: 'idle' })
  expect(lab.steps).toHaveLength(4)
  expect(bodiesIn(lab.steps.at(-1))).toBe(1)
})

test('SY-4 allowed-tools of a skill change nothing that a call is asked about', async () => {
  await using lab = await openCoreLab({ files: withSkill() })
  lab.provider.script(
    reply({ toolCalls: [loads('pdf')] }),
    reply({ toolCalls: [{ name: 'write', input: { path: 'a.txt', content: 'x' }, id: 'call_w' }] }),
  )
  const { sessionId } = await lab.say('Write it')
  await expect.poll(() => lab.sessions.status(sessionId)).toMatchObject({ state: 'waiting' })
  expect(await lab.sessions.permissions.pending(sessionId)).toHaveLength(1)
})

async function compactedLab() {
  const lab = await openHistoryLab(
    { files: withSkill() },
    { agent: { tools: [readTool, todoTool, skillTool] } },
  )
  lab.provider.script(reply({ toolCalls: [loads('pdf')] }), reply({ text: words(800) }))
  const { sessionId } = await lab.turn(words(800))
  await lab.turn('Two', sessionId)
  await lab.turn('Three', sessionId)
  await lab.sessions.history.compact(sessionId)
  return { lab, sessionId }
}

test('SY-4 a body survives a compaction, and a second one, and counts as loaded', async () => {
  const { lab: opened, sessionId } = await compactedLab()
  await using lab = opened
  lab.provider.script(reply({ toolCalls: [loads('pdf', 'call_2')] }), reply({ text: words(800) }))
  await lab.turn('Four', sessionId)
  expect(bodiesIn(lab.steps.at(-1))).toBe(1)
  expect(JSON.stringify(lab.steps.at(-1)?.body)).toContain('is loaded already')
  await lab.turn(words(500), sessionId)
  await lab.turn('Six', sessionId)
  await lab.turn('Seven', sessionId)
  await lab.sessions.history.compact(sessionId)
  await lab.turn('Eight', sessionId)
  expect(lab.summaries).toHaveLength(2)
  expect(bodiesIn(lab.steps.at(-1))).toBe(1)
})

test('SY-4 an undone compaction shows the body where it was, once', async () => {
  const { lab: opened, sessionId } = await compactedLab()
  await using lab = opened
  await lab.sessions.history.uncompact(sessionId)
  await lab.turn('Four', sessionId)
  expect(bodiesIn(lab.steps.at(-1))).toBe(1)
})
