import type { ModelRef } from '../domain/model/model.ts'
import type { MessageUsage } from '../domain/model/usage.ts'

export type UsageRow = { model: ModelRef | null; day: string; messages: number; usage: MessageUsage }

/** Bytes of the store, those of them that are free for new rows, and sessions in the bin. */
export type StorageReport = { bytes: number; freeBytes: number; inBin: number }

export interface ReportStore {
  /** Sums of assistant messages made in `[since, until)` by model and UTC day `YYYY-MM-DD`; copies are left out. */
  usage(range: { since: number; until: number }): Promise<UsageRow[]>
  counts(): Promise<{ sessions: number; messages: number }>
  storage(): Promise<StorageReport>
}
