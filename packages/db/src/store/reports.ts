import type { ReportStore, UsageRow } from '@palimpsest/core/ports'
import type { Database } from '../connect/database.ts'
import { countRows, sumUsage, type UsageSum } from '../sql/usage-report.ts'
import { readStorage } from '../sqlite/storage.ts'

export function createReportStore(database: Database): ReportStore {
  return {
    usage: ({ since, until }) =>
      database.read(async (queries) => (await sumUsage(queries, since, until)).map(toUsageRow)),
    counts: () => database.read(countRows),
    storage: () => database.read(readStorage),
  }
}

function toUsageRow(sum: UsageSum): UsageRow {
  const { providerId, modelId, variant } = sum
  return {
    model:
      providerId === null || modelId === null
        ? null
        : { providerId, modelId, ...(variant === null ? {} : { variant }) },
    day: sum.day,
    messages: sum.messages,
    usage: {
      input: sum.input,
      output: sum.output,
      reasoning: sum.reasoning,
      cacheRead: sum.cacheRead,
      cacheWrite: sum.cacheWrite,
      steps: sum.steps,
      ...(sum.unknown > 0 ? { unknown: true as const } : {}),
    },
  }
}
