import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryDetail, HistoryKind, HistoryOperation } from '../../domain/history/history-operation.ts'
import type { StoredMessage } from '../../domain/message/message.ts'
import { outputsThen, withOutputs } from './outputs-then.ts'

/** What the model sees of outputs: those that are stubs, and those whose condensed form is not in use. */
type View = { pruned: ReadonlySet<string>; whole: ReadonlySet<string> }

const PARTS = ['p', 'q', 'r']
const CALLS = ['a', 'b']
const EMPTY: View = { pruned: new Set(), whole: new Set() }

function withAll(set: ReadonlySet<string>, ids: readonly string[], has: boolean): ReadonlySet<string> {
  return new Set([...PARTS, ...CALLS].filter((id) => (ids.includes(id) ? has : set.has(id))))
}

/** A chat whose operations are done one after the other; `views` holds what the model saw before each of them. */
function createChat(start: View) {
  const operations: HistoryOperation[] = []
  const views: View[] = []
  let view = start

  function done(kind: HistoryKind, detail: Partial<HistoryDetail>, after: View): void {
    const all = { lastSeq: 9, hidden: [], shown: [], ...detail }
    operations.push({ id: `op_${operations.length}`, sessionId: 's', kind, detail: all, createdAt: 1 })
    views.push(view)
    view = after
  }

  const change = (to: number) => outputsThen({ entries: [], operations }, { operations: to, lastSeq: 9 })

  return {
    operations,
    get view() {
      return view
    },
    get views() {
      return [...views, view]
    },
    change,
    mark(kind: 'prune' | 'unprune' | 'compaction', ids: readonly string[]) {
      const marks = kind !== 'unprune'
      const partIds = ids.filter((id) => view.pruned.has(id) !== marks)
      if (partIds.length > 0)
        done(kind, { partIds }, { ...view, pruned: withAll(view.pruned, partIds, marks) })
    },
    use(kind: 'uncondense' | 'recondense', toolCallId: string) {
      const whole = kind === 'uncondense'
      if (view.whole.has(toolCallId) === whole) return
      const detail = { targetMessageId: 'm', toolCallId }
      done(kind, detail, { ...view, whole: withAll(view.whole, [toolCallId], whole) })
    },
    /** Goes back to the moment before an operation. */
    goTo(index: number) {
      const point = operations[index]
      if (point === undefined) return
      const { prune, unprune } = change(index)
      done('unrewind', { pointId: point.id, partIds: [...prune, ...unprune] }, views[index] ?? view)
    },
  }
}

function applied(view: View, { prune, unprune, forms }: ReturnType<typeof outputsThen>): View {
  const used = (is: boolean) => forms.filter(({ used: inUse }) => inUse === is).map((form) => form.toolCallId)
  return {
    pruned: withAll(withAll(view.pruned, prune, true), unprune, false),
    whole: withAll(withAll(view.whole, used(false), true), used(true), false),
  }
}

const ids = fc.subarray(PARTS, { minLength: 1 })
const act = fc.oneof(
  fc.record({ kind: fc.constantFrom('prune' as const, 'unprune' as const, 'compaction' as const), ids }),
  fc.record({
    kind: fc.constantFrom('uncondense' as const, 'recondense' as const),
    call: fc.constantFrom(...CALLS),
  }),
  fc.record({ kind: fc.constant('goTo' as const), index: fc.nat(9) }),
)

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

function take(chat: ReturnType<typeof createChat>, each: Act): void {
  if (each.kind === 'goTo') chat.goTo(each.index)
  else if ('call' in each) chat.use(each.kind, each.call)
  else chat.mark(each.kind, each.ids)
}

test('RW-3 PR-4 a return to any moment restores exactly the outputs and condensed forms that the model saw then', () => {
  fc.assert(
    fc.property(
      fc.subarray(PARTS),
      fc.subarray(CALLS),
      fc.array(act, { maxLength: 10 }),
      (pruned, whole, acts) => {
        const chat = createChat({ pruned: new Set(pruned), whole: new Set(whole) })
        for (const each of acts) take(chat, each)
        for (const [index, then] of chat.views.entries()) {
          const change = chat.change(index)
          expect(applied(chat.view, change)).toEqual(then)
          // Nothing is named that is so already.
          for (const id of change.prune) expect(chat.view.pruned.has(id)).toBe(false)
          for (const id of change.unprune) expect(chat.view.pruned.has(id)).toBe(true)
          for (const { toolCallId, used } of change.forms) expect(chat.view.whole.has(toolCallId)).toBe(used)
        }
      },
    ),
  )
})

test('RW-3 PR-4 a form that was seen whole is condensed again before that, and whole again after a return to that', () => {
  const chat = createChat(EMPTY)
  chat.use('uncondense', 'a')
  chat.goTo(0)
  expect(chat.change(0).forms).toEqual([])
  expect(chat.change(1).forms).toEqual([{ messageId: 'm', toolCallId: 'a', used: false }])
  chat.goTo(1)
  expect(chat.change(0).forms).toEqual([{ messageId: 'm', toolCallId: 'a', used: true }])
  expect(chat.change(1).forms).toEqual([])
})

test('RW-3 PR-4 the outputs of a message are changed as it was planned, and those of other messages stay', () => {
  const form = {
    text: 'x',
    model: { providerId: 'l', modelId: 'm' },
    ofCharacters: 1,
    beforeTokens: 1,
    afterTokens: 1,
    spentTokens: 1,
  }
  const part = (id: string, prunedAt: number | null) => ({
    id,
    index: 0,
    data: { type: 'step-start' as const },
    prunedAt,
  })
  const message = (id: string): StoredMessage => ({
    id,
    sessionId: 's',
    role: 'assistant',
    metadata: { schemaVersion: 1, createdAt: 1, condensed: { a: form, b: form } },
    parts: [part('p', null), part('q', 5), part('r', 5)],
    seq: 1,
    hiddenAt: null,
    hiddenBy: null,
    queuedAt: null,
    createdAt: 1,
    updatedAt: 1,
  })
  const change = { prune: ['p'], unprune: ['q'], forms: [{ messageId: 'm', toolCallId: 'a', used: false }] }
  const changed = withOutputs(change, 7)(message('m'))
  expect(changed.parts.map(({ prunedAt }) => prunedAt)).toEqual([7, null, 5])
  expect(changed.metadata.condensed?.['a']).not.toEqual(form)
  expect(changed.metadata.condensed?.['b']).toEqual(form)
  expect(withOutputs(change, 7)(message('other')).metadata.condensed).toEqual({ a: form, b: form })
})
