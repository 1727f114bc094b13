import type { ErrorCode } from '../errors.ts'
import type { PersonAskKind } from '../permission/ask.ts'

/** What a session is doing right now. Held in memory only: after a restart every session reads idle, but for runs that wait. */
export type SessionStatus =
  | { state: 'idle' }
  | { state: 'busy'; runId: string; startedAt: number }
  | { state: 'retrying'; runId: string; startedAt: number; attempt: number; message: string; retryAt: number }
  /** The run waits for a person, or for a subagent that waits for one. */
  | { state: 'waiting'; runId: string; startedAt: number; waitingOn: PersonAskKind }
  | { state: 'error'; runId: string; code: ErrorCode; message: string }

export type StatusEvent =
  | { type: 'started'; runId: string; at: number }
  /** A run of an earlier host is found to wait: for a person, or for a subagent with null. */
  | { type: 'found-waiting'; runId: string; at: number; on: PersonAskKind | null }
  | { type: 'retry-scheduled'; attempt: number; message: string; retryAt: number }
  | { type: 'retry-begun' }
  | { type: 'waiting'; on: PersonAskKind }
  | { type: 'resumed' }
  | { type: 'settled' }
  | { type: 'failed'; code: ErrorCode; message: string }

export const IDLE: SessionStatus = { state: 'idle' }

/** Total: an event that means nothing in the present state leaves it as it is. */
export function transition(status: SessionStatus, event: StatusEvent): SessionStatus {
  switch (event.type) {
    case 'started':
      return isRunning(status) ? status : { state: 'busy', runId: event.runId, startedAt: event.at }
    case 'retry-scheduled': {
      if (!isRunning(status) || status.state === 'waiting') return status
      const { runId, startedAt } = status
      const { attempt, message, retryAt } = event
      return { state: 'retrying', runId, startedAt, attempt, message, retryAt }
    }
    case 'retry-begun':
      return status.state === 'retrying' ? busy(status) : status
    case 'found-waiting':
    case 'waiting':
    case 'resumed':
      return transitionOfWait(status, event)
    case 'settled':
      return isRunning(status) ? IDLE : status
    case 'failed':
      return isRunning(status)
        ? { state: 'error', runId: status.runId, code: event.code, message: event.message }
        : status
  }
}

type Wait = Extract<StatusEvent, { type: 'found-waiting' | 'waiting' | 'resumed' }>

function transitionOfWait(status: SessionStatus, event: Wait): SessionStatus {
  switch (event.type) {
    case 'found-waiting': {
      const { runId, at, on } = event
      if (status.state !== 'idle') return status
      return on === null
        ? { state: 'busy', runId, startedAt: at }
        : { state: 'waiting', runId, startedAt: at, waitingOn: on }
    }
    case 'waiting': {
      if (status.state === 'waiting' && status.waitingOn === event.on) return status
      return status.state === 'busy' || status.state === 'waiting'
        ? { ...status, state: 'waiting', waitingOn: event.on }
        : status
    }
    case 'resumed':
      return status.state === 'waiting' ? busy(status) : status
  }
}

type Running = Extract<SessionStatus, { runId: string; startedAt: number }>

/** Whether a run is on, working or waiting. */
export function isRunning(status: SessionStatus): status is Running {
  return status.state === 'busy' || status.state === 'retrying' || status.state === 'waiting'
}

function busy({ runId, startedAt }: Running): Extract<SessionStatus, { state: 'busy' }> {
  return { state: 'busy', runId, startedAt }
}
