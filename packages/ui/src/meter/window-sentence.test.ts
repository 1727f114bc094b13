import type { HeavyMessage, WindowContent } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFormat } from '../format/format.ts'
import { meterWords } from '../messages/en-meter.ts'
import { type WindowFacts, windowSentence } from './window-sentence.ts'

const NOTHING: WindowContent = {
  instructions: 0,
  summary: 0,
  prompts: 0,
  replies: 0,
  reasoning: 0,
  tools: 0,
  files: 0,
}
const format = createFormat('en')

function heavy(tokens: number, facts: Partial<HeavyMessage> = {}): HeavyMessage {
  return { messageId: 'm1', role: 'user', text: 'Of ink', place: 2, tokens, ...facts }
}

function sentence(content: Partial<WindowContent>, heaviest: readonly HeavyMessage[], used = 1_000) {
  const facts: WindowFacts = { used, content: { ...NOTHING, ...content }, heaviest }
  return windowSentence(facts, meterWords, format)
}

test.each<[string | null, Partial<WindowContent>, HeavyMessage[]]>([
  ['Instructions and tools take 50%.', { instructions: 500 }, [heavy(400)]],
  ['The summary takes 60%.', { summary: 600 }, [heavy(300)]],
  ['Your message “Of ink” takes 30%.', { instructions: 300, summary: 300 }, [heavy(300)]],
  ['The reply “Of ink” takes 45%.', { summary: 440 }, [heavy(450, { role: 'assistant' })]],
  ['Your first message takes 45%.', {}, [heavy(450, { place: 1 })]],
  ['The first reply takes 45%.', {}, [heavy(450, { place: 1, role: 'assistant' })]],
  ['Your message “Of ink” takes 10%.', {}, [heavy(100)]],
  ['No message takes more than 9%.', {}, [heavy(90), heavy(90, { messageId: 'm2' })]],
  [null, {}, []],
])('UI-14 the sentence reads %j', (words, content, heaviest) => {
  expect(sentence(content, heaviest)).toBe(words)
})

test('UI-14 a summary that takes more than the instructions is what the sentence names', () => {
  expect(sentence({ instructions: 230, summary: 600 }, [heavy(100)])).toBe('The summary takes 60%.')
  expect(sentence({ instructions: 600, summary: 230 }, [heavy(100)])).toBe('Instructions and tools take 60%.')
})

test('UI-14 with equal instructions and summary the sentence names the instructions', () => {
  expect(sentence({ instructions: 400, summary: 400 }, [])).toBe('Instructions and tools take 40%.')
})

test('UI-14 an estimate that exceeds what is used takes all of the window, and no more', () => {
  expect(sentence({}, [heavy(1_250)])).toBe('Your message “Of ink” takes 100%.')
  expect(sentence({ instructions: 3_000 }, [])).toBe('Instructions and tools take 100%.')
  expect(sentence({ summary: 3_000 }, [])).toBe('The summary takes 100%.')
})

test('UI-14 an empty window has no sentence, whatever was counted before', () => {
  expect(sentence({ instructions: 500, summary: 20 }, [heavy(10)], 0)).toBeNull()
})

test('UI-14 the sentence names the first of the heaviest, and quotes in its words become single', () => {
  const heaviest = [heavy(600, { text: 'Why “ink”?' }), heavy(500, { text: 'Wax' })]
  expect(sentence({}, heaviest)).toBe('Your message “Why ‘ink’?” takes 60%.')
})

const tokens = fc.nat(200_000)
const facts = fc.record({
  used: tokens,
  instructions: tokens,
  summary: tokens,
  heaviest: fc.array(
    tokens.map((count) => heavy(count)),
    { maxLength: 3 },
  ),
})

test('UI-14 no sentence has a share above 100%', () => {
  fc.assert(
    fc.property(facts, ({ used, instructions, summary, heaviest }) => {
      const percent = /(\d+)%/.exec(sentence({ instructions, summary }, heaviest, used) ?? '')?.[1] ?? '0'
      expect(Number(percent)).toBeLessThanOrEqual(100)
    }),
  )
})

test('UI-14 the share in the sentence is that of the greatest part', () => {
  fc.assert(
    fc.property(facts, ({ used, instructions, summary, heaviest }) => {
      const greatest = Math.max(instructions, summary, heaviest[0]?.tokens ?? 0)
      const words = sentence({ instructions, summary }, heaviest, used)
      if (words !== null) expect(words).toContain(format.percent(Math.min(1, greatest / used)))
    }),
  )
})
