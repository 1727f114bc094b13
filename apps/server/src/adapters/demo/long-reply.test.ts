import { expect, test } from 'vitest'
import { longReply } from './long-reply.ts'

test('MO-5 the long answer is the same every time, and its chapters are not', () => {
  const chapters = longReply().split('\n\n## ')
  expect(longReply()).toBe(chapters.join('\n\n## '))
  expect(chapters).toHaveLength(97)
  expect(new Set(chapters).size).toBe(chapters.length)
})

test('MO-5 neighbouring chapters of the long answer share no paragraph', () => {
  const chapters = longReply().split('\n\n## ').slice(1)
  for (const [index, chapter] of chapters.slice(1).entries()) {
    const before = new Set(chapters[index]?.split('\n\n').filter((paragraph) => paragraph.length > 60))
    for (const paragraph of chapter.split('\n\n')) expect(before.has(paragraph)).toBe(false)
  }
})
