import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readProposals } from './read-proposals.ts'

const tabs = { scope: 'user', name: 'tabs', description: 'Likes tabs', type: 'preference', body: 'Tabs.' }

test('ME-2 proposals are read from a JSON list, alone or among other text, at most three', () => {
  expect(readProposals(JSON.stringify([tabs]))).toEqual([tabs])
  expect(
    readProposals(`Here:\n\`\`\`json\n${JSON.stringify([tabs, tabs, tabs, tabs])}\n\`\`\``),
  ).toHaveLength(3)
  const { type: _, ...untyped } = tabs
  expect(readProposals(JSON.stringify([untyped]))).toEqual([{ ...tabs, type: 'note' }])
})

test('ME-2 what is no memory is left out, whatever a model answers', () => {
  const odd = [
    { ...tabs, scope: 'world' },
    { ...tabs, body: ' ' },
    { ...tabs, name: 5 },
    { ...tabs, type: 1 },
    null,
    'x',
    {},
  ]
  expect(readProposals(JSON.stringify(odd.slice(0, 3)))).toEqual([])
  expect(readProposals(JSON.stringify([...odd.slice(3), tabs]))).toEqual([])
  for (const answer of ['', 'No.', '[', ']', '[}', '{"a": []}', 'null'])
    expect(readProposals(answer)).toEqual([])
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (answer) => {
      for (const { name, body } of readProposals(answer)) expect(name.length * body.length).toBeGreaterThan(0)
    }),
  )
})
