import type { ChatMessage } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { alignTurns } from './align-turns.ts'

/** A conversation in letters: each capital is a prompt, each small one a reply; equal letters are copies. */
function thread(letters: string, prefix: string): ChatMessage[] {
  return [...letters].map((letter) => ({
    id: `${prefix}${letter}`,
    role: letter === letter.toUpperCase() ? 'user' : 'assistant',
    metadata: { schemaVersion: 1, createdAt: letter.charCodeAt(0), runId: `run_${letter.toLowerCase()}` },
    parts: [],
  }))
}

function aligned(left: string, right: string) {
  const { common, turns, related } = alignTurns(thread(left, ''), thread(right, ''))
  const side = (turn: { prompt: ChatMessage | null; replies: readonly ChatMessage[] } | null) =>
    turn === null ? '-' : `${turn.prompt?.id ?? ''}${turn.replies.map(({ id }) => id).join('')}`
  return [
    common.map(({ id }) => id).join(''),
    turns.map((turn) => `${side(turn.left)}|${side(turn.right)}`).join(' '),
    related,
  ]
}

test('UI-20 two branches are aligned turn by turn from where they part', () => {
  expect(aligned('AaBbCc', 'AaDdEeFf')).toEqual(['Aa', 'Bb|Dd Cc|Ee -|Ff', true])
})

test('UI-20 two replies to the same prompt face each other', () => {
  expect(aligned('AaBb', 'AaBc')).toEqual(['AaB', 'b|c', true])
})

test('UI-20 a reply faces no prompt that only the other side has', () => {
  expect(aligned('AabCc', 'AaDd')).toEqual(['Aa', 'b|- Cc|Dd', true])
})

test('UI-20 the fork is found although one side is loaded less far', () => {
  expect(aligned('BbCc', 'AaBbDd')).toEqual(['Bb', 'Cc|Dd', true])
})

test('UI-20 threads with nothing in common are aligned from their first messages', () => {
  expect(aligned('Aa', 'Bb')).toEqual(['', 'Aa|Bb', false])
})

test('UI-20 the same words on their way to both are no part of what they have in common', () => {
  const sent = (id: string): ChatMessage => ({
    id,
    role: 'user',
    metadata: { schemaVersion: 1, createdAt: 7 },
    parts: [],
  })
  const { common, turns } = alignTurns([...thread('Aa', ''), sent('x')], [...thread('Aa', 'r'), sent('y')])
  expect(common.map(({ id }) => id)).toEqual(['A', 'a'])
  expect(turns).toHaveLength(1)
})

/** A conversation in letters as above, in which each prompt says its letter. */
function spoken(letters: string, prefix: string): ChatMessage[] {
  return thread(letters, prefix).map((message, at) => ({
    ...message,
    id: `${prefix}${letters[at]}`,
    metadata: { schemaVersion: 1, createdAt: at, runId: `run_${prefix}${at}` },
    parts: message.role === 'user' ? [{ type: 'text', text: `Question  ${letters[at]}\n` }] : [],
  }))
}

function rows(left: string, right: string) {
  const { turns } = alignTurns(spoken(left, 'l'), spoken(right, 'r'))
  return turns.map(({ left: one, right: other }) => `${one?.prompt?.id ?? '-'}|${other?.prompt?.id ?? '-'}`)
}

test('UI-34 turns with the same question are in one row, and those between them are paired by position', () => {
  expect(rows('AaBbXx', 'CcXx')).toEqual(['lA|rC', 'lB|-', 'lX|rX'])
  expect(rows('XxAa', 'BbCcXxDd')).toEqual(['-|rB', '-|rC', 'lX|rX', 'lA|rD'])
})

test('UI-34 a question that was sent to both is in one row, also when one side has asked it before', () => {
  expect(rows('XxAaXx', 'BbXx')).toEqual(['lX|rB', 'lA|-', 'lX|rX'])
})
