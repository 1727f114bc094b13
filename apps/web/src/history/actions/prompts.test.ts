import type { ChatMessage } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftParts } from '../../composer/draft-parts.ts'
import { inputParts } from '../../session/input-part.ts'
import { userMessage } from '../../testing/session-world.ts'
import { draftOf } from '../rewind/draft-of.ts'
import { lineOf, promptsOf } from './prompts.ts'

const reply = (id: string): ChatMessage => ({ ...userMessage(id), role: 'assistant' })
const attached = (filename?: string) =>
  ({
    type: 'file',
    mediaType: 'text/plain',
    url: `data:text/plain;base64,${btoa('gall')}`,
    ...(filename && { filename }),
  }) as const

test('UI-17 every prompt can be gone back to, the latest first, with what that would hide', () => {
  const shown = [userMessage('a'), reply('b'), userMessage('c'), reply('d'), reply('e')]
  expect(promptsOf(shown).map(({ id, hides }) => [id, hides])).toEqual([
    ['c', 2],
    ['a', 4],
  ])
})

test('UI-17 in any thread each prompt hides exactly the messages after it', () => {
  const thread = fc
    .array(fc.boolean())
    .map((roles) => roles.map((isUser, at) => (isUser ? userMessage(`m${at}`) : reply(`m${at}`))))
  fc.assert(
    fc.property(thread, (shown) => {
      for (const { id, hides } of promptsOf(shown)) {
        expect(shown.at(shown.length - 1 - hides)?.id).toBe(id)
      }
    }),
  )
})

test('UI-17 a prompt is listed as one line of text, one of files alone as an empty line', () => {
  expect(lineOf(userMessage('a', ' One\n\n  two\tthree '))).toBe('One two three')
  const [prompt] = promptsOf([{ ...userMessage('f'), parts: [attached('a.txt')] }])
  expect(prompt?.text).toBe('')
})

test('UI-17 a prompt that is edited begins as what was sent, and unchanged goes out as the same', () => {
  const message: ChatMessage = {
    ...userMessage('m'),
    parts: [attached('a.txt'), { type: 'text', text: 'Look at this' }],
  }
  const draft = draftOf(message)
  expect(draft).toMatchObject({ text: 'Look at this', files: [{ name: 'a.txt', mediaType: 'text/plain' }] })
  expect(draftParts(draft)).toEqual(inputParts(message.parts))
})

test('UI-17 files of one message keep apart although they have one name, or none', () => {
  const { files } = draftOf({ ...userMessage('m'), parts: [attached('a'), attached('a'), attached()] })
  expect(new Set(files.map(({ id }) => id)).size).toBe(3)
  expect(files.map(({ name }) => name)).toEqual(['a', 'a', 'text/plain'])
})
