import type { ChatMessage, Session } from '@palimpsest/core/domain'
import { expect, test } from 'vitest'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import { forksOf, type Lineage, type LineageNode } from './forks.ts'

const said = (id: string, createdAt: number): ChatMessage => ({
  ...userMessage(id),
  metadata: { schemaVersion: 1, createdAt },
})

function session(id: string, facts: Partial<Session> = {}): Session {
  return { ...createSessionWorld(id).snapshot(1).view, ...facts }
}

function node(id: string, fork: string | null, children: LineageNode[] = [], facts: Partial<Session> = {}) {
  const parentId = fork === null ? null : 'root'
  return {
    session: session(id, { parentId, parentMessageId: fork, createdAt: 10, ...facts }),
    forkMessageId: fork,
    children,
  }
}

const forks = (lineage: Lineage, shown: ChatMessage[]) =>
  forksOf(lineage, shown).map((fork) => [fork.messageId, fork.sessions.map(({ id }) => id).join(' ')])

const side = node('side', 'm2', [], { metadata: { ephemeral: true } })
const root = node('root', null, [node('b', 'm2'), side, node('c', 'm2'), node('d', 'm4')])
const SHOWN = ['m1', 'm2', 'm3', 'm4'].map((id, at) => said(id, at))

test('UI-19 a message that others branched from has every way on, the session’s own first, none on the side', () => {
  expect(forks({ root, current: 'root', ancestors: [] }, SHOWN)).toEqual([
    ['m2', 'root b c'],
    ['m4', 'root d'],
  ])
})

test('UI-19 a branch shows its siblings at the last message that it was made with', () => {
  const copies = [said('x1', 0), said('x2', 1), said('x3', 11)]
  expect(forks({ root, current: 'b', ancestors: ['root'] }, copies)).toEqual([['x2', 'root b c']])
})

test('UI-19 a branch of a branch from the same place is a version beside it', () => {
  const nested = node('root', null, [node('b', 'm2', [node('e', 'x2')])])
  const copies = [said('x1', 0), said('x2', 1), said('x3', 11)]
  expect(forks({ root: nested, current: 'b', ancestors: ['root'] }, copies)).toEqual([['x2', 'root b e']])
})

test('UI-19 a fork at a message that is hidden is none', () => {
  expect(forks({ root, current: 'root', ancestors: [] }, SHOWN.slice(0, 2))).toEqual([['m2', 'root b c']])
})
