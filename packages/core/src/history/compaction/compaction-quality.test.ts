import { contentsOf, openHistoryLab, textOf, words } from '@palimpsest/testing/history-lab.ts'
import { reply } from '@palimpsest/testing/scripted-provider-reply.ts'
import { expect, test } from 'vitest'

/** What must not be forgotten, one fact in each of the first turns. */
const FACTS = [
  'FACT goal: port the parser to Rust;',
  'FACT constraint: never touch vendor/;',
  'FACT decision: errors are values, since panics cross threads;',
  'FACT file: src/lexer/tokens.rs holds the table;',
  'FACT number: the budget is 1,337 ms;',
  'FACT name: the branch is called heron;',
]

/** A summariser that carries over each fact that it reads, and nothing else. */
function faithful(asked: string) {
  const facts = new Set(asked.match(/FACT \w+: [^;]+;/g) ?? [])
  return reply({ text: `## Goal\n${[...facts].join('\n')}` })
}

test('CP-2 CP-4 after three compactions the planted facts are in the view, and the tail is unchanged', async () => {
  await using lab = await openHistoryLab()
  const summaryInputs: string[] = []
  lab.summarise(({ body }) => {
    const input = contentsOf(body).join('\n')
    summaryInputs.push(input)
    return faithful(input)
  })
  const { id: sessionId } = await lab.sessions.create({ title: 'Port' })
  const said: string[] = []
  for (let turn = 0; lab.summaries.length < 3; turn++) {
    const text = `${FACTS[turn] ?? 'Go on.'} ${words(500, `turn${turn}`)}`
    said.push(text)
    await lab.turn(text, sessionId)
  }

  const held = summaryInputs.map((input) => FACTS.filter((fact) => input.includes(fact)))
  expect(held[0]?.length).toBeGreaterThan(0)
  expect(held[1]).toEqual(expect.arrayContaining(held[0] ?? []))
  expect(held[2]).toEqual(FACTS)
  for (const input of summaryInputs.slice(1)) expect(input).toContain('<earlier-summary>')

  const [, summary, ...tail] = contentsOf(lab.steps.at(-1)?.body ?? {})
  expect(summary).toMatch(/^user: <summary-of-earlier-conversation>/)
  for (const fact of FACTS) expect(summary).toContain(fact)
  expect(tail.at(-1)).toBe(`user: ${said.at(-1)}`)
  const visible = (await lab.visible(sessionId)).filter(({ metadata }) => !metadata?.summary)
  expect(tail.map((line) => line.replace(/^\w+: /, ''))).toEqual(visible.slice(0, -1).map(textOf))

  for (const { body } of lab.summaries) {
    expect(body).toMatchObject({ model: 'cheap' })
    expect(body['tools']).toBeUndefined()
    expect(body['temperature']).toBeLessThanOrEqual(0.3)
    expect(body['max_tokens']).toBeLessThanOrEqual(4_096)
  }
})
