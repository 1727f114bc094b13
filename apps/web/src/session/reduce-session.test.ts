import { isRunning } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSessionViewer } from '../testing/session-viewer.ts'
import { createSessionWorld, userMessage } from '../testing/session-world.ts'
import type { Outgoing } from './outgoing.ts'
import { reduceSession } from './reduce-session.ts'
import { initialSessionState } from './session-state.ts'
import { shownMessages } from './thread-view.ts'

const WORLD_STEPS = ['send', 'steer', 'step', 'write', 'settle', 'cancel', 'rewind', 'unrewind'] as const
const VIEWER_STEPS = ['connect', 'drop', 'event', 'chunks', 'fetch', 'older'] as const
type Step = (typeof WORLD_STEPS)[number] | (typeof VIEWER_STEPS)[number]

const steps = fc.array(fc.constantFrom<Step>(...WORLD_STEPS, ...VIEWER_STEPS), { maxLength: 80 })

function play(
  script: readonly Step[],
  afterEach?: (viewer: ReturnType<typeof createSessionViewer>) => void,
  pageSize?: number,
) {
  const world = createSessionWorld('ses_1')
  const viewer = createSessionViewer(world, pageSize)
  let count = 0
  const next = (prefix: string) => userMessage(`${prefix}_${++count}`)
  const act: Record<Step, () => unknown> = {
    send: () => world.send(next('user')),
    steer: () => world.steer(next('steer')),
    step: () => world.step(),
    write: () => world.write(`word ${++count} `),
    settle: () => world.settle(),
    cancel: () => world.cancelQueued(),
    rewind: () => world.rewind(1 + (count % 5)),
    unrewind: () => world.unrewind(),
    connect: () => viewer.connect(),
    drop: () => viewer.drop(),
    event: () => viewer.deliverEvent(),
    chunks: () => viewer.deliverChunks(),
    fetch: () => viewer.advanceFetch(),
    older: () => viewer.advanceOlder(),
  }
  for (const step of script) {
    act[step]()
    afterEach?.(viewer)
  }
  return { world, viewer }
}

test('AP-2 any interleaving of drops, replays and late answers ends in what the server holds', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const { world, viewer } = play(script)
      viewer.connect()
      viewer.drain()
      const { state } = viewer
      const { loaded, ...truth } = world.truth
      expect({
        messages: shownMessages(state),
        loaded: state.messages.map(({ id }) => id),
        queue: state.queue,
        status: state.status,
        contextWindow: state.contextWindow,
      }).toEqual({ ...truth, loaded: loaded.map(({ id }) => id) })
      expect(state.live?.phase === 'streaming').toBe(isRunning(state.status))
    }),
    { numRuns: 1_000 },
  )
})

const TURN = ['send', 'settle'] as const
const AWAY = ['drop', ...TURN, ...TURN, ...TURN, ...TURN, ...TURN, 'connect', 'fetch', 'fetch'] as const

/** A conversation that goes on while a page looks at it now and then; less than a page of it during one fetch. */
const talk = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<readonly Step[]>(TURN, AWAY) },
    {
      weight: 4,
      arbitrary: fc.constantFrom<readonly Step[]>(
        ['older'],
        ['drop', 'connect', 'fetch'],
        ['fetch'],
        ['event'],
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom<readonly Step[]>(['rewind'], ['unrewind'], ['chunks'], ['write']),
    },
  ),
  { maxLength: 40 },
)

test('AP-2 pages that answer late leave no gap: further up lies what the server holds, message by message', () => {
  fc.assert(
    fc.property(talk, fc.integer({ min: 6, max: 9 }), (script, pageSize) => {
      const { world, viewer } = play(script.flat(), undefined, pageSize)
      viewer.connect()
      viewer.advanceFetch()
      viewer.drain()
      const held = () => world.truth.loaded.map(({ id }) => id)
      const loaded = () => viewer.state.messages.map(({ id }) => id)
      expect(loaded()).toEqual(held().slice(-loaded().length || held().length))
      while (viewer.advanceOlder());
      expect(loaded()).toEqual(held())
      expect(shownMessages(viewer.state)).toEqual(world.truth.messages)
    }),
    { numRuns: 500 },
  )
})

test('AP-2 what is hidden while the page above is on its way is hidden in it', () => {
  const { world, viewer } = play(['rewind', ...AWAY, 'older', 'older', 'unrewind'], undefined, 6)
  viewer.drain()
  while (viewer.advanceOlder());
  expect(world.truth.loaded).toHaveLength(10)
  expect(shownMessages(viewer.state)).toEqual([])
})

test('LS-5 at no moment does a page show a message, or a piece of one, twice', () => {
  fc.assert(
    fc.property(steps, (script) => {
      play(script, ({ state }) => {
        const shown = shownMessages(state)
        const ids = [...shown, ...state.queue].map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const message of shown) {
          const words = message.parts.flatMap((part) =>
            part.type === 'text' ? [...part.text.matchAll(/word \d+/g)].map(String) : [],
          )
          expect(new Set(words).size).toBe(words.length)
        }
      })
    }),
    { numRuns: 300 },
  )
})

const outgoing = (id: string): Outgoing => ({
  message: userMessage(id),
  model: null,
  queued: false,
  steer: false,
  replaces: null,
  createsSession: false,
  state: { type: 'sending' },
})

test('ID-2 a message on its way leaves the list when the server shows it, in the thread or in the queue', () => {
  const world = createSessionWorld('ses_1')
  const viewer = createSessionViewer(world)
  viewer.connect()
  viewer.drain()
  const sending = [outgoing('a'), outgoing('b'), outgoing('c')].reduce(
    (state, entry) => reduceSession(state, { type: 'outgoing-added', outgoing: entry }),
    viewer.state,
  )
  const added = reduceSession(sending, {
    type: 'event',
    event: { type: 'message-added', sessionId: 'ses_1', message: userMessage('a') },
  })
  const queued = reduceSession(added, {
    type: 'event',
    event: { type: 'queue', sessionId: 'ses_1', queue: [userMessage('b')] },
  })
  expect(queued.outgoing.map(({ message }) => message.id)).toEqual(['c'])
})

test('UI-4 a fetch that fails leaves what is shown; with nothing shown it says why', () => {
  const failed = { type: 'fetch-failed', missing: false, message: 'No answer.' } as const
  const empty = initialSessionState('ses_1', 'loading')
  expect(reduceSession(empty, failed).phase).toEqual({ failed: 'No answer.' })
  const ready = initialSessionState('ses_1', 'ready')
  expect(reduceSession(ready, failed).phase).toBe('ready')
  expect(reduceSession(ready, { ...failed, missing: true }).phase).toBe('missing')
})

test('UI-8 older pages are added above without a message twice', () => {
  const world = createSessionWorld('ses_1')
  const viewer = createSessionViewer(world)
  world.send(userMessage('late'))
  viewer.connect()
  viewer.drain()
  const before = shownMessages(viewer.state)
  const more = { ...viewer.state, older: { cursor: 'c', state: 'loading' } } as const
  const older = reduceSession(more, {
    type: 'older-fetched',
    cursor: 'c',
    page: { items: [userMessage('early'), userMessage('late')], nextCursor: null },
  })
  expect(shownMessages(older).map(({ id }) => id)).toEqual(['early', ...before.map(({ id }) => id)])
})

test('UI-4 a row of the session that arrives after a newer one changes nothing', () => {
  const viewer = createSessionViewer(createSessionWorld('ses_1'))
  viewer.connect()
  viewer.drain()
  const { session } = viewer.state
  if (session === null) throw new Error('The session was not read.')
  const changed = (title: string, revision: number) =>
    ({
      type: 'event',
      event: { type: 'session-changed', sessionId: 'ses_1', session: { ...session, title, revision } },
    }) as const
  const newer = reduceSession(viewer.state, changed('Newer', session.revision + 2))
  const late = reduceSession(newer, changed('Older', session.revision + 1))
  expect(late.session?.title).toBe('Newer')
})

test('UI-14 after a reload in the middle of a reply the meter counts no word twice', () => {
  const world = createSessionWorld('ses_1')
  world.send(userMessage('question'))
  world.write('many words, ')
  world.write('and more')
  const viewer = createSessionViewer(world)
  viewer.connect()
  viewer.drain()
  expect(viewer.state.countedCharacters).toBe('many words, and more'.length)
})
