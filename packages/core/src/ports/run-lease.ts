import type { AskKind } from '../domain/permission/ask.ts'

/** A run's claim of its session. Its epoch is `FIRST_EPOCH`, and the next one each time that another host takes it over. */
export type RunLease = { runId: string; sessionId: string; startedAt: number; epoch: number }

/** What every write of a run carries; one whose epoch is not that of the claim is refused. */
export type RunEpoch = Pick<RunLease, 'runId' | 'epoch'>

/** A run that waits, with its reply. */
export type WaitingRun = { lease: RunLease; messageId: string; on: AskKind }
