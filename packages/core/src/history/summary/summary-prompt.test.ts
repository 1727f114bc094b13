import { expect, test } from 'vitest'
import { joinRequest, summaryRequest } from './summary-prompt.ts'

test('CP-3 the parts of a conversation that are joined are numbered from 1 in their order', () => {
  expect(joinRequest(['First.', 'Second.', 'Third.'])).toBe(
    '<part number="1">\nFirst.\n</part>\n\n<part number="2">\nSecond.\n</part>\n\n<part number="3">\nThird.\n</part>' +
      '\n\nThese summarise consecutive parts of one conversation. Write one summary of all of it.',
  )
})

test('CP-3 a transcript is marked as the conversation, before the request', () => {
  expect(summaryRequest('User: hi')).toBe('<conversation>\nUser: hi\n</conversation>\n\nWrite the summary.')
})
