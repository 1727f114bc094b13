import { AppError, levelOf } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import {
  type Answer,
  type Ask,
  type AskReply,
  toPendingPermission,
  toPendingQuestion,
  waitsOn,
} from '../domain/permission/ask.ts'
import { formContent, type ServerForm } from '../domain/permission/server-form.ts'
import { rootOf, type Session } from '../domain/session/session.ts'
import { resolvedEvents } from '../history/apply/announce.ts'
import type { TurnPorts } from '../run/run-state.ts'
import type { Turns } from '../run/run-turn.ts'
import type { PlanGrant } from './lasting-permissions.ts'
import type { PermissionService, SessionService } from './service.ts'

type Asking = Pick<SessionService, 'questions'> & {
  permissions: Pick<PermissionService, 'pending' | 'reply'>
}

/** What runs ask of persons, and the replies. */
export function createAsking(
  ports: TurnPorts,
  turns: Turns,
  requireSession: (id: string) => Promise<Session>,
  planGrant: PlanGrant,
): Asking {
  const { store, events, clock, coordinator, logger } = ports

  async function open<T>(sessionId: string | null, toPending: (ask: Ask) => T | null): Promise<T[]> {
    if (sessionId !== null) await requireSession(sessionId)
    const asks = await store.asks.open(sessionId)
    return asks.map(toPending).filter((pending) => pending !== null)
  }

  /** Publishes the replies, and resumes the runs that waited for them. */
  async function resolved(asks: readonly Ask[]): Promise<void> {
    for (const event of asks.flatMap(resolvedEvents)) events.publish(event)
    const waiting = new Map(asks.map(({ sessionId, runId }) => [sessionId, runId]))
    await Promise.all(
      Array.from(waiting, async ([sessionId, runId]) => {
        await goOn(sessionId, runId).catch((error: unknown) => notResumed(error, sessionId, runId))
      }),
    )
  }

  /** Resumes the run, unless it waits for something else. */
  async function goOn(sessionId: string, runId: string): Promise<void> {
    const active = coordinator.active(sessionId)
    if (await turns.resume(sessionId)) return
    if (active?.runId === runId) return void active.released.then(() => resumeLater(sessionId, runId))
    const on = waitsOn((await store.asks.ofRun(runId)).filter((ask) => ask.reply === null))
    if (on !== null) coordinator.waitOn(sessionId, on)
  }

  /** Of a run that had stored that it waits when its reply came, and whose claim had not ended yet. */
  async function resumeLater(sessionId: string, runId: string): Promise<void> {
    if (coordinator.waiting(sessionId)?.runId !== runId) return
    await goOn(sessionId, runId).catch((error: unknown) => notResumed(error, sessionId, runId))
  }

  function notResumed(error: unknown, sessionId: string, runId: string): void {
    logger[levelOf(error)]({ error, sessionId, runId }, 'A run that waited could not be resumed')
  }

  const reply = async (askId: string, given: AskReply) =>
    await resolved([await store.asks.reply(askId, given, clock.now())])

  return {
    permissions: {
      pending: (sessionId) => open(sessionId, toPendingPermission),
      async reply({ permissionId, reply: decision, pattern, reason }) {
        const ask = await store.asks.get(permissionId)
        if (ask?.request.kind !== 'approval')
          throw new AppError('INVALID_INPUT', 'No permission was asked for under this id.', {
            field: 'permissionId',
          })
        if (reason !== undefined) checkText(reason, 'reason')
        if (decision === 'once') return await reply(ask.id, { type: 'approved', scope: 'once' })
        if (decision === 'deny')
          return await reply(ask.id, { type: 'denied', ...(reason !== undefined && { reason }) })
        const session = await requireSession(ask.sessionId)
        const grant = await planGrant(ask, session, decision, pattern)
        const asks = await store.permissions.grant(grant)
        const changed = await store.sessions.get(rootOf(session))
        if (changed !== null)
          events.publish({ type: 'session-changed', sessionId: changed.id, session: changed })
        await resolved(asks)
      },
    },

    questions: {
      pending: (sessionId) => open(sessionId, toPendingQuestion),
      async answer(questionId, answers, refused) {
        const ask = await store.asks.get(questionId)
        if (ask?.request.kind !== 'answer')
          throw new AppError('INVALID_INPUT', 'Nothing was asked under this id.', { field: 'questionId' })
        const { questions, form } = ask.request
        if (refused !== undefined) {
          if (form === undefined)
            throw new AppError('INVALID_INPUT', 'Only what a server asks can be refused.', {
              field: 'refused',
            })
          return await reply(ask.id, { type: 'answered', answers: [], refused })
        }
        checkAnswers(answers, questions, form ? LIMITS.formOptions : LIMITS.answerTexts)
        if (form) checkForm(answers, form)
        await reply(ask.id, { type: 'answered', answers })
      },
    },
  }
}

function checkAnswers(
  answers: readonly Answer[],
  questions: readonly { multiple?: boolean }[],
  several: number,
): void {
  if (answers.length !== questions.length)
    throw new AppError('INVALID_INPUT', `There are ${questions.length} questions; give an answer to each.`, {
      field: 'answers',
    })
  for (const [index, answer] of answers.entries()) {
    const field = `answers.${index}`
    const most = questions[index]?.multiple === true ? several : 1
    if (answer.length > most)
      throw new AppError('INVALID_INPUT', `This question takes at most ${most} answers.`, { field })
    for (const text of answer) checkText(text, field)
  }
}

function checkForm(answers: readonly Answer[], { fields }: ServerForm): void {
  const read = formContent(fields, answers)
  if ('content' in read) return
  const { index, reason } = read.wrong
  throw new AppError('INVALID_INPUT', reason, { field: `answers.${index}` })
}

function checkText(text: string, field: string): void {
  if (text.length <= LIMITS.replyCharacters) return
  throw new AppError('INVALID_INPUT', `It takes at most ${LIMITS.replyCharacters} characters.`, { field })
}
