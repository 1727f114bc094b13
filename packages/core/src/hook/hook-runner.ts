import pLimit from 'p-limit'
import { untilAborted } from '../domain/async/until-aborted.ts'
import { AppError } from '../domain/errors.ts'
import type { JsonObject } from '../domain/json/json.ts'
import type {
  BlockingEvent,
  HookAnswer,
  HookEvent,
  HookOutcome,
  HookPayload,
  HookView,
} from '../domain/settings/hook.ts'
import type { Clock, Hook, Logger } from '../ports/index.ts'

/** Reports that run at once, and that wait; a report beyond them is dropped with a line in the log. */
const REPORTS = { atOnce: 4, waiting: 500 }

type Facts = JsonObject & { sessionId: string }

/** What the hooks of an event have decided together. */
export type HookVerdict = {
  /** Why it is not to happen; null when it may. */
  blocked: string | null
  /** Why a person is to be asked about it; null without such a wish. */
  asks: string | null
  metadata: JsonObject | null
  snapshotId: string | null
}

const NO_OBJECTION: HookVerdict = { blocked: null, asks: null, metadata: null, snapshotId: null }

/** The hooks of a host. Without a hook for an event nothing is waited for. */
export type HookRunner = {
  has(event: HookEvent): boolean
  /** Runs the hooks of an event in declared order, up to the first that blocks. Never rejects. */
  decide(event: BlockingEvent, facts: Facts, signal?: AbortSignal): Promise<HookVerdict>
  /** Fails with `HOOK_DENIED` when a hook blocks. */
  assertAllowed(event: BlockingEvent, facts: Facts, signal?: AbortSignal): Promise<HookVerdict>
  /** Reports an event to its hooks, after the reports before it have started. Returns at once. */
  report(event: Exclude<HookEvent, BlockingEvent>, facts: Facts): void
  list(): HookView[]
}

type HookRecord = Pick<HookView, 'runs' | 'failures' | 'blocks' | 'last' | 'lastFailure' | 'lastBlock'>

const NOT_RUN: HookRecord = {
  runs: 0,
  failures: 0,
  blocks: 0,
  last: null,
  lastFailure: null,
  lastBlock: null,
}

type Ports = {
  clock: Clock
  logger: Logger
  background: { start(name: string, work: (signal: AbortSignal) => Promise<unknown>): void }
}

type Result = { type: 'answer'; answer: HookAnswer } | { type: 'failed'; reason: string }

export function createHookRunner(hooks: readonly Hook[], { clock, logger, background }: Ports): HookRunner {
  const records = new Map(hooks.map((hook) => [hook, { ...NOT_RUN }]))
  const reports = pLimit(REPORTS.atOnce)

  function hooksFor(event: HookEvent, facts: Facts): Hook[] {
    const { tool } = facts
    return hooks.filter(
      (hook) =>
        hook.event === event &&
        (hook.tools === null || typeof tool !== 'string' || hook.tools.includes(tool)),
    )
  }

  async function call(hook: Hook, payload: HookPayload, signal: AbortSignal | undefined): Promise<Result> {
    const record = records.get(hook)
    const begun = clock.elapsed()
    const timeout = new AbortController()
    using _timer = clock.after(hook.timeoutMs, () =>
      timeout.abort(new AppError('HOOK_DENIED', `It took longer than ${hook.timeoutMs} ms.`)),
    )
    const stop = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal])
    const result = await attempt(() => untilAborted(hook.run(payload, stop), stop))
    if (result.type === 'failed' && signal?.aborted !== true)
      logger.warn({ error: result.error, hook: hook.name, event: hook.event }, 'A hook failed')
    if (record !== undefined) {
      const outcome = { ...outcomeOf(result), at: clock.now(), durationMs: clock.elapsed() - begun }
      record.runs += 1
      record.last = outcome
      if (outcome.type === 'failed') {
        record.failures += 1
        record.lastFailure = outcome
      }
      if (result.type === 'answer' && result.answer.decision === 'block') {
        record.blocks += 1
        record.lastBlock = outcome
      }
    }
    return result
  }

  async function decide(event: BlockingEvent, facts: Facts, signal?: AbortSignal): Promise<HookVerdict> {
    let verdict = NO_OBJECTION
    for (const hook of hooksFor(event, facts)) {
      const result = await call(hook, { ...facts, event, at: clock.now() }, signal)
      verdict = withResult(verdict, hook, result)
      if (verdict.blocked !== null) return verdict
    }
    return verdict
  }

  return {
    has: (event) => hooks.some((hook) => hook.event === event),
    decide,

    async assertAllowed(event, facts, signal) {
      const verdict = await decide(event, facts, signal)
      if (verdict.blocked !== null) throw new AppError('HOOK_DENIED', verdict.blocked)
      return verdict
    },

    report(event, facts) {
      for (const hook of hooksFor(event, facts)) {
        if (reports.pendingCount >= REPORTS.waiting) {
          logger.warn({ hook: hook.name, event }, 'A hook is too slow: an event was not reported to it')
          continue
        }
        const payload = { ...facts, event, at: clock.now() }
        background.start('hook', (signal) => reports(() => call(hook, payload, signal)))
      }
    },

    list: () =>
      hooks.map((hook) => {
        const { run: _, ...declared } = hook
        return { ...declared, ...(records.get(hook) ?? NOT_RUN) }
      }),
  }
}

type Attempt = { type: 'answer'; answer: HookAnswer } | { type: 'failed'; reason: string; error: unknown }

async function attempt(run: () => Promise<HookAnswer>): Promise<Attempt> {
  try {
    return { type: 'answer', answer: await run() }
  } catch (error) {
    const reason = error instanceof AppError ? error.message : 'It failed; the server’s log has the reason.'
    return { type: 'failed', reason, error }
  }
}

function outcomeOf(result: Result): Pick<HookOutcome, 'type' | 'message'> {
  if (result.type === 'failed') return { type: 'failed', message: result.reason }
  const { decision, reason } = result.answer
  if (decision === undefined) return { type: 'done' }
  return { type: 'blocked', ...(reason !== undefined && { message: reason }) }
}

/** Adds what one hook has decided. Of metadata the later hook counts, key by key. */
function withResult(verdict: HookVerdict, { name, required }: Hook, result: Result): HookVerdict {
  if (result.type === 'failed')
    return required
      ? { ...verdict, blocked: `The hook “${name}” is required and failed. ${result.reason}` }
      : verdict
  const { decision, reason, metadata, snapshotId } = result.answer
  const said = reason ?? `The hook “${name}” did not say why.`
  return {
    blocked: decision === 'block' ? said : verdict.blocked,
    asks: decision === 'ask' ? (verdict.asks ?? said) : verdict.asks,
    metadata: metadata === undefined ? verdict.metadata : { ...verdict.metadata, ...metadata },
    snapshotId: snapshotId ?? verdict.snapshotId,
  }
}
