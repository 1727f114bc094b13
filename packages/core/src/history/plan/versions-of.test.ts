import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryDetail, HistoryKind, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { OutlineEntry } from '../../domain/history/outline.ts'
import type { Role } from '../../domain/message/message.ts'
import { inRanges } from '../../domain/values/seq-ranges.ts'
import { changeTo } from './change.ts'
import { planRestore, planRewind } from './plan-rewind.ts'
import { versionsOf } from './versions-of.ts'
import { visibleNow } from './view.ts'

/** A session's outline with the expected record of it: each message's predecessor, and when it was last seen. */
class Session {
  entries: OutlineEntry[] = []
  operations: HistoryOperation[] = []
  predecessors = new Map<string, string | null>()
  lastSeen = new Map<string, ReadonlySet<number>>()

  visible(): OutlineEntry[] {
    return this.entries.filter(({ hiddenBy, compactionId }) => hiddenBy === null && compactionId === null)
  }

  say(role: Role, compactionId: string | null = null): void {
    const seq = this.entries.length + 1
    const rest = { hiddenBy: null, compactionId, window: null, condensed: false, createdAt: 0 }
    const entry = { id: `m${seq}`, seq, role, ...rest }
    if (compactionId === null) this.predecessors.set(entry.id, this.visible().at(-1)?.id ?? null)
    this.entries.push(entry)
    this.look()
  }

  /** Notes what is visible with each visible message. */
  look(): void {
    for (const { id } of this.visible()) this.lastSeen.set(id, visibleNow(this))
  }

  operate(kind: HistoryKind, detail: HistoryDetail): void {
    const id = `op${this.operations.length}`
    this.operations.push({ id, sessionId: 's', kind, detail, createdAt: 0 })
    this.entries = this.entries.map((entry) => {
      if (inRanges(detail.shown, entry.seq)) return { ...entry, hiddenBy: null }
      return entry.hiddenBy === null && inRanges(detail.hidden, entry.seq)
        ? { ...entry, hiddenBy: id }
        : entry
    })
    this.look()
  }

  compact(): void {
    const visible = this.visible()
    if (visible.length < 4) return
    const kept = new Set(visible.slice(-2).map(({ seq }) => seq))
    const summarySeq = this.entries.length + 1
    const id = `op${this.operations.length}`
    this.operate('compaction', { ...changeTo(this, kept), summarySeq })
    this.say('assistant', id)
  }
}

const ACTS = ['turn', 'turn', 'edit', 'regenerate', 'rewind', 'restore', 'switch', 'compact'] as const
const script = fc.array(fc.tuple(fc.constantFrom(...ACTS), fc.nat(40)), { maxLength: 25 })

function act(session: Session, [name, pick]: [(typeof ACTS)[number], number]): void {
  const any = session.entries.filter(({ role, compactionId }) => role === 'user' && compactionId === null)
  const target = any[pick % Math.max(1, any.length)]?.id
  const rewind = (messageId: string, replace: boolean) =>
    session.operate('rewind', planRewind(session, messageId, { replace }))
  const endsWithQuestion = session.visible().at(-1)?.role === 'user'
  if (name === 'turn' || target === undefined) {
    if (endsWithQuestion) rewind(session.visible().at(-1)?.id ?? '', true)
    session.say('user')
    session.say('assistant')
  } else if (name === 'edit') {
    rewind(target, true)
    session.say('user')
    session.say('assistant')
  } else if (name === 'regenerate') {
    rewind(target, false)
    session.say('assistant')
  } else if (name === 'rewind') rewind(target, false)
  else if (name === 'restore') {
    const point = session.operations[pick % Math.max(1, session.operations.length)]
    if (point !== undefined) session.operate('unrewind', planRestore(session, point.id))
  } else if (name === 'compact') session.compact()
  else switchAny(session, pick)
}

/** Shows another version, and requires exactly the state in which it was last seen. */
function switchAny(session: Session, pick: number): void {
  const others = versionsOf(session).flatMap(({ versions }) =>
    versions.filter((one) => one.operationId !== null),
  )
  const chosen = others[pick % Math.max(1, others.length)]
  if (chosen === undefined) return
  const expected = session.lastSeen.get(chosen.messageId)
  session.operate('unrewind', planRestore(session, chosen.operationId ?? ''))
  expect(visibleNow(session)).toEqual(expected)
}

test('UI-28 after any rewinds, edits and regenerations each version leads to exactly the state in which it was last shown', () => {
  fc.assert(
    fc.property(script, (acts) => {
      const session = new Session()
      for (const one of acts) {
        act(session, one)
        const found = versionsOf(session)
        const expected = session.visible().flatMap(({ id, role }) => {
          const place = session.predecessors.get(id)
          const same = session.entries.filter(
            (other) =>
              other.compactionId === null &&
              other.role === role &&
              session.predecessors.get(other.id) === place,
          )
          return same.length < 2 ? [] : [[id, same.map((other) => other.id)]]
        })
        expect(
          found.map(({ messageId, versions }) => [messageId, versions.map((one) => one.messageId)]),
        ).toEqual(expected)
        for (const { messageId, versions, current } of found) {
          expect(versions[current]).toEqual({ messageId, operationId: null })
          for (const version of versions.filter(({ operationId }) => operationId !== null)) {
            const after = new Session()
            Object.assign(after, { entries: session.entries, operations: [...session.operations] })
            after.operate('unrewind', planRestore(after, version.operationId ?? ''))
            expect(visibleNow(after)).toEqual(session.lastSeen.get(version.messageId))
          }
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('UI-28 an edit of an edit is a third version of the question, and a reply has the versions of its own question', () => {
  const session = new Session()
  for (const one of ['turn', 'turn', 'edit'] as const) act(session, [one, 1])
  act(session, ['edit', 2])
  act(session, ['regenerate', 3])
  expect(
    versionsOf(session).map(({ versions, current }) => [versions.map(({ messageId }) => messageId), current]),
  ).toEqual([
    [['m3', 'm5', 'm7'], 2],
    [['m8', 'm9'], 1],
  ])
})
