import { expect } from 'vitest'
import { type CallFailure, callProcedure, PROCEDURES } from '../call-procedure.ts'
import { made } from './hostile-values.ts'
import { SESSION_READS } from './procedure-inputs.ts'

/** Milliseconds that any answer may take, under the load of a test machine. */
const BOUND_MS = 20_000
/** The number of sessions, the latest, that are read at the end of a script. */
const SESSIONS_READ = 6
/** Milliseconds for which a subscription is read. */
const LISTENING_MS = 20

const INSIDES = /node_modules|at async |\.ts:\d|SQLITE|SELECT |Prisma|\/tmp\/|\/home\/|lab-key/
/** The workspace of a test server, which answers may name. */
const WORKSPACE = /\/tmp\/palimpsest-workspace-\w+/g

export type Call = { path: string; input: unknown }
export type Counts = Map<string, number>

/** Ids that answers have returned, by kind, the latest last. */
export type CallWorld = {
  /** Makes the call and checks that its answer is a result or a typed error; returns the result, or null. */
  call(call: Call): Promise<unknown>
  /** Waits until the session runs nothing. */
  untilIdle(sessionId: string): Promise<void>
  /** Calls every read on the sessions that were met, and a new chat: all of them answer. */
  checkAll(): Promise<void>
  add(kind: string, ...ids: string[]): void
}

export function createCallWorld(url: string, counts: Counts): CallWorld {
  const known = new Map<string, Set<string>>()

  function add(kind: string, ...ids: string[]) {
    const pool = known.get(kind) ?? new Set()
    known.set(kind, pool)
    for (const id of ids) pool.add(id)
  }

  function make(kind: string, argument: string): unknown {
    if (kind === 'tampered') return tampered(String(make('cursor', argument)), Number(argument))
    const pool = [...(known.get(kind) ?? [])]
    return pool[Number(argument) % Math.max(1, pool.length)] ?? `no-${kind}`
  }

  /** Collects the ids in an answer. */
  function learn(value: unknown, depth = 0): void {
    if (typeof value !== 'object' || value === null || depth > 8) return
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') learn(inner, depth + 1)
      else for (const kind of kindsOf(key, inner)) add(kind, inner)
    }
  }

  async function call({ path, input }: Call): Promise<unknown> {
    const procedure = PROCEDURES.find((one) => one.path === path)
    if (procedure === undefined) throw new Error(`There is no procedure ${path}.`)
    const sent = made(input, make)
    const limited = procedure.type === 'subscription' ? LISTENING_MS : BOUND_MS
    const answer = await callProcedure(url, procedure, sent, AbortSignal.timeout(limited)).catch(
      (error: Error) => {
        if (procedure.type === 'subscription' && error.name === 'TimeoutError') return null
        throw error
      },
    )
    counts.set(path, (counts.get(path) ?? 0) + 1)
    if (answer === null) return null
    const { status, failure, body } = answer
    count(counts, `status ${status}`)
    expect(body.replaceAll(WORKSPACE, ''), path).not.toMatch(INSIDES)
    if (failure !== null) return checkRefusal(path, failure)
    expect([path, status]).toEqual([path, 200])
    if (procedure.type === 'subscription') return null
    const { data } = JSON.parse(body).result
    // A list names every session of the server, and a script uses only its own.
    if (path !== 'session.list' && path !== 'search.messages') learn(data)
    return data
  }

  const read = (path: string, input: unknown) => call({ path, input })

  return {
    add,
    call,

    async untilIdle(sessionId: string) {
      await expect
        .poll(async () => ((await read('session.status', { sessionId })) as { state: string } | null)?.state)
        .not.toBe('busy')
    },

    async checkAll() {
      for (const archived of [true, false])
        expect(await read('session.list', { archived, ephemeral: true, limit: 200 })).not.toBeNull()
      for (const path of ['usage.report', 'model.list', 'system.info'])
        expect(await read(path, {})).not.toBeNull()
      for (const sessionId of [...(known.get('session') ?? [])].slice(-SESSIONS_READ)) {
        if ((await read('session.get', { sessionId })) === null) continue
        for (const path of SESSION_READS)
          expect([path, await read(path, { sessionId })]).not.toEqual([path, null])
      }
      const { id: sessionId } = (await read('session.create', {})) as { id: string }
      const message = { parts: [{ type: 'text', text: 'Still there?' }] }
      const { runId } = (await read('session.send', { sessionId, message })) as { runId: string }
      expect(runId).toBeDefined()
    },
  }
}

function kindsOf(key: string, text: string): string[] {
  if (key === 'data') return text.startsWith('{"type":"session"') ? ['export'] : []
  if (key === 'nextCursor') return ['cursor']
  if (key === 'toolCallId') return ['call']
  const kind = KINDS[/^(ses|msg|prt|run|op)_/.exec(text)?.[1] ?? '']
  return kind === undefined ? [] : [kind]
}

/** A cursor that no answer has returned. */
function tampered(cursor: string, how: number): string {
  const base64 = (text: string) => Buffer.from(text).toString('base64url')
  const others = [
    cursor.slice(0, -1),
    `${cursor}A`,
    [...cursor].toReversed().join(''),
    cursor.toUpperCase(),
    ...['-1', '1e3', '0x10', ' 5', '1.5', 'NaN', '９', '9007199254740993', '%00'],
    ...['[]', '[1]', '[null,null]', '["1","a"]', '[9e15,"ses_x"]', '[1e999,""]', '{"__proto__":1}'].map(
      base64,
    ),
  ]
  return others[how % others.length] ?? cursor
}

const KINDS: Readonly<Record<string, string>> = {
  ses: 'session',
  msg: 'message',
  prt: 'part',
  run: 'run',
  op: 'operation',
}

function checkRefusal(path: string, { data, message }: CallFailure): null {
  const { httpStatus, appCode, field, stack } = data
  const said = { path, status: Math.floor(httpStatus / 100), appCode, stack, message }
  const code = expect.stringMatching(/^[A-Z_]+$/)
  expect(said).toEqual({
    path,
    status: 4,
    appCode: code,
    stack: undefined,
    message: expect.stringMatching(/\S/),
  })
  if (appCode === 'INVALID_INPUT') expect([path, field]).toEqual([path, expect.stringMatching(/./s)])
  return null
}

export function count(counts: Counts, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
