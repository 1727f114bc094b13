import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Passage } from '../read/summarised-messages.ts'
import { shortened } from './shorten.ts'

const transcriptOf = (passages: readonly Passage[]) =>
  async function* () {
    yield* passages
  }

/** Passages that begin with their number, so that each can be found again. */
const passages = fc
  .array(
    fc.record({
      by: fc.constantFrom('person', 'model', 'summary'),
      length: fc.integer({ min: 1, max: 3_000 }),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((sizes) =>
    sizes.map(({ by, length }, index): Passage => ({ by, text: `${start(index)}${'x'.repeat(length)}` })),
  )

const start = (index: number) => `#${index}:`

test('CP-13 a shortened transcript is within its limit, the same each time, and keeps the beginning of each passage in order', async () => {
  await fc.assert(
    fc.asyncProperty(passages, fc.integer({ min: 1_040, max: 60_000 }), async (all, limit) => {
      const text = await shortened(transcriptOf(all), limit)
      expect(text.length).toBeLessThanOrEqual(limit)
      expect(await shortened(transcriptOf(all), limit)).toBe(text)
      const places = all.map((_, index) => text.indexOf(start(index)))
      expect(places).not.toContain(-1)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }),
  )
})

test('CP-13 no limit is exceeded, however small', async () => {
  await fc.assert(
    fc.asyncProperty(passages, fc.integer({ min: 1, max: 1_000 }), async (all, limit) => {
      expect((await shortened(transcriptOf(all), limit)).length).toBeLessThanOrEqual(limit)
    }),
  )
})

test('CP-13 nothing of the person is cut while what the model said can be, and no earlier summary before both', async () => {
  await fc.assert(
    fc.asyncProperty(passages, fc.integer({ min: 1_040, max: 60_000 }), async (all, limit) => {
      const text = await shortened(transcriptOf(all), limit)
      const isCut = (by: Passage['by']) => all.some((one) => one.by === by && !text.includes(one.text))
      const isLong = (by: Passage['by']) =>
        text.split('\n\n').some((shown) => {
          const index = Number(/^#(\d+):/.exec(shown)?.[1] ?? -1)
          return all[index]?.by === by && shown.length > 120
        })
      if (isCut('person')) expect(isLong('model')).toBe(false)
      if (isCut('summary')) expect(isLong('model') || isLong('person')).toBe(false)
    }),
  )
})

test('CP-13 a cut says how much is left out, and what fits is not cut', async () => {
  const all: Passage[] = [
    { by: 'person', text: 'A short question' },
    { by: 'model', text: `Begin${'y'.repeat(990)}final` },
    { by: 'model', text: 'A short answer' },
  ]
  const text = await shortened(transcriptOf(all), 400)
  const left = Number(/\[… (\d+) characters left out …\]/.exec(text)?.[1])
  expect(text).toMatch(/^A short question\n\nBegin.*final\n\nA short answer$/)
  expect(text.split('y').length - 1 + left).toBe(990)
  expect(await shortened(transcriptOf(all), 1_034)).toBe(all.map((one) => one.text).join('\n\n'))
  expect(await shortened(transcriptOf(all), 1_033)).toContain('left out')
})
