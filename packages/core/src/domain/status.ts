import type { ErrorCode } from './errors.ts'

/** What a session is doing right now. Held in memory only: after a restart every session reads idle. */
export type SessionStatus =
  | { state: 'idle' }
  | { state: 'busy'; runId: string; startedAt: number; waitingOn?: 'approval' | 'answer' }
  | { state: 'retrying'; runId: string; startedAt: number; attempt: number; message: string; retryAt: number }
  | { state: 'error'; runId: string; code: ErrorCode; message: string }

export type StatusEvent =
  | { type: 'started'; runId: string; at: number }
  | { type: 'retry-scheduled'; attempt: number; message: string; retryAt: number }
  | { type: 'retry-begun' }
  | { type: 'waiting'; on: 'approval' | 'answer' }
  | { type: 'answered' }
  | { type: 'settled' }
  | { type: 'failed'; code: ErrorCode; message: string }

export const IDLE: SessionStatus = { state: 'idle' }

/** Total: an event that means nothing in the present state leaves it as it is. */
export function transition(status: SessionStatus, event: StatusEvent): SessionStatus {
  switch (event.type) {
    case 'started':
      return isRunning(status) ? status : { state: 'busy', runId: event.runId, startedAt: event.at }
    case 'retry-scheduled': {
      if (!isRunning(status)) return status
      const { runId, startedAt } = status
      const { attempt, message, retryAt } = event
      return { state: 'retrying', runId, startedAt, attempt, message, retryAt }
    }
    case 'retry-begun':
      return status.state === 'retrying' ? busy(status) : status
    case 'waiting':
      return status.state === 'busy' ? { ...busy(status), waitingOn: event.on } : status
    case 'answered':
      return status.state === 'busy' ? busy(status) : status
    case 'settled':
      return isRunning(status) ? IDLE : status
    case 'failed':
      return isRunning(status)
        ? { state: 'error', runId: status.runId, code: event.code, message: event.message }
        : status
  }
}

type Running = Extract<SessionStatus, { state: 'busy' | 'retrying' }>

export function isRunning(status: SessionStatus): status is Running {
  return status.state === 'busy' || status.state === 'retrying'
}

function busy({ runId, startedAt }: Running): Extract<SessionStatus, { state: 'busy' }> {
  return { state: 'busy', runId, startedAt }
}
