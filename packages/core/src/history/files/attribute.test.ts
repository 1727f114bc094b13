import { fileState } from '@palimpsest/testing/file-change-row.ts'
import { expect, test } from 'vitest'
import type { FileDelta } from '../../ports/index.ts'
import { attribute, type OpenSpan } from './attribute.ts'

const [old, now, other] = [fileState('old'), fileState('now'), fileState('other')]

function span(change: Partial<OpenSpan & { name: string }> = {}) {
  return { name: 'call', root: '/w', thread: 'chat', background: false, sessionId: 'chat', ...change }
}

function delta(change: Partial<FileDelta> = {}): FileDelta {
  return { path: 'a.txt', before: old, after: now, notKept: null, ...change }
}

const UNKNOWN = () => undefined

function attributed(
  deltas: readonly FileDelta[],
  spans: readonly ReturnType<typeof span>[],
  known: Parameters<typeof attribute>[3] = UNKNOWN,
  root = '/w',
) {
  return attribute(root, deltas, spans, known).map(({ by, absolute, uncertain, before }) => ({
    absolute,
    by: by.map(({ name }) => name),
    uncertain,
    before,
  }))
}

test('RW-5 what changes while no call runs is a person’s', () => {
  expect(attributed([delta()], [])).toEqual([{ absolute: '/w/a.txt', by: [], uncertain: false, before: old }])
})

test('RW-5 what changes while one command runs is its', () => {
  expect(attributed([delta()], [span()])).toMatchObject([{ by: ['call'], uncertain: false }])
})

test('RW-5 of several commands of one chat it is that which began first', () => {
  const spans = [span({ name: 'first' }), span({ name: 'second' })]
  expect(attributed([delta()], spans)).toMatchObject([{ by: ['first'], uncertain: false }])
})

test('RW-5 SA-2 a subagent’s command and its parent’s are those of one chat', () => {
  const spans = [span({ name: 'child', sessionId: 'child' }), span({ name: 'parent' })]
  expect(attributed([delta()], spans)).toMatchObject([{ by: ['child'], uncertain: false }])
})

test('RW-5 while commands of two chats run it is one of each, and uncertain', () => {
  const spans = [
    span({ name: 'one' }),
    span({ name: 'two', thread: 'other' }),
    span({ name: 'three', thread: 'other' }),
  ]
  expect(attributed([delta()], spans)).toMatchObject([{ by: ['one', 'two'], uncertain: true }])
})

test('RW-5 while a command in the background runs alone it is its, and uncertain', () => {
  expect(attributed([delta()], [span({ name: 'server', background: true })])).toMatchObject([
    { by: ['server'], uncertain: true },
  ])
})

test('RW-5 beside one that is waited for a command in the background counts for nothing', () => {
  const spans = [span({ name: 'server', background: true }), span({ name: 'call' })]
  expect(attributed([delta()], spans)).toMatchObject([{ by: ['call'], uncertain: false }])
})

test('RW-5 also where the command in the background is another chat’s', () => {
  const spans = [span({ name: 'server', background: true, thread: 'other' }), span()]
  expect(attributed([delta()], spans)).toMatchObject([{ by: ['call'], uncertain: false }])
})

test('RW-5 a command in a folder inside is asked for what changes there alone', () => {
  const inner = span({ name: 'inner', root: '/w/sub' })
  expect(attributed([delta(), delta({ path: 'sub/b.txt' })], [inner])).toMatchObject([
    { absolute: '/w/a.txt', by: [], uncertain: false },
    { absolute: '/w/sub/b.txt', by: ['inner'], uncertain: false },
  ])
})

test('RW-5 a folder whose name only begins like that of a command is another one', () => {
  const spans = [span({ root: '/w/sub' })]
  expect(attributed([delta({ path: 'submarine/a.txt' })], spans)).toMatchObject([{ by: [] }])
})

test('RW-5 a command in a folder around is asked too', () => {
  const spans = [span({ name: 'outer', root: '/w' })]
  expect(attributed([delta()], spans, UNKNOWN, '/w/sub')).toMatchObject([
    { absolute: '/w/sub/a.txt', by: ['outer'] },
  ])
})

test('RW-5 chats in nested folders share what changes in the inner one, and it is uncertain', () => {
  const spans = [span({ name: 'outer' }), span({ name: 'inner', root: '/w/sub', thread: 'other' })]
  expect(attributed([delta({ path: 'sub/b.txt' }), delta()], spans)).toMatchObject([
    { absolute: '/w/sub/b.txt', by: ['outer', 'inner'], uncertain: true },
    { absolute: '/w/a.txt', by: ['outer'], uncertain: false },
  ])
})

test('RW-5 what the journal has last is not noted twice', () => {
  expect(attributed([delta()], [span()], () => ({ state: now }))).toEqual([])
  expect(attributed([delta({ after: null })], [span()], () => ({ state: null }))).toEqual([])
})

test('RW-5 what differs from the journal’s last state begins at that state', () => {
  expect(attributed([delta()], [span()], () => ({ state: other }))).toMatchObject([{ before: other }])
  expect(attributed([delta()], [span()], () => ({ state: null }))).toMatchObject([{ before: null }])
})

test('RW-5 the journal is asked by the path from the root of the disk', () => {
  const asked: string[] = []
  attributed([delta(), delta({ path: 'sub/b.txt' })], [], (absolute) => {
    asked.push(absolute)
    return undefined
  })
  expect(asked).toEqual(['/w/a.txt', '/w/sub/b.txt'])
})

test('RW-10 a content that is not kept is noted although the journal has the same state', () => {
  const found = attribute('/w', [delta({ notKept: 'too-large' })], [span()], () => ({ state: now }))
  expect(found).toMatchObject([{ notKept: 'too-large', absolute: '/w/a.txt' }])
})
