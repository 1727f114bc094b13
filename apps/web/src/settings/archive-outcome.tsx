import type { ArchiveReport } from '@palimpsest/core/domain'
import { settingsWords } from '../words/en-settings.ts'
import type { ArchiveState } from './archive-import.ts'

const { data: words } = settingsWords

/** How an import ended; nothing before. */
export function ArchiveOutcome({ state }: { state: ArchiveState }) {
  switch (state.at) {
    case 'idle':
    case 'sending':
      return null
    case 'cancelled':
      return <p className="text-sm">{words.cancelled}</p>
    case 'lost':
      return <p className="text-sm text-danger">{words.lost}</p>
    case 'refused':
      return <p className="text-sm text-danger">{state.message}</p>
    case 'done':
      return <Report report={state.report} />
  }
}

function Report({ report }: { report: ArchiveReport }) {
  const { problems, moreProblems } = report
  return (
    <div className="space-y-2 rounded-md border border-line px-3 py-2.5 text-sm">
      <p>{summaryOf(report).join(' · ') || words.nothing}</p>
      {!report.complete && <p className="text-danger">{words.incomplete}</p>}
      {problems.length > 0 && (
        <details>
          <summary className="cursor-pointer py-1">{words.problems(problems.length + moreProblems)}</summary>
          <ul className="mt-1 max-h-80 space-y-2 overflow-y-auto">
            {problems.map(({ name, title, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a report does not change, and names may repeat
              <li key={index}>
                <p className="break-all text-muted">{title ?? name}</p>
                <p>{reason}</p>
              </li>
            ))}
            {moreProblems > 0 && <li className="text-muted">{words.moreProblems(moreProblems)}</li>}
          </ul>
        </details>
      )}
    </div>
  )
}

/** What came in and what did not, each with its number, without those of 0. */
export function summaryOf({ sessions, files, settings }: ArchiveReport): string[] {
  const counted: [number, (count: number) => string][] = [
    [sessions.imported, words.imported],
    [sessions.copied, words.copied],
    [sessions.skipped, words.skipped],
    [sessions.failed, words.failedChats],
    [files.imported, words.files],
  ]
  const lines = counted.flatMap(([count, line]) => (count > 0 ? [line(count)] : []))
  return settings === 'imported' ? [...lines, words.settingsTaken] : lines
}
