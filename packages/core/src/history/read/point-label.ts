import type { RestoreReason } from '../history-service.ts'

const LABELS: Record<RestoreReason, string> = {
  message: 'Before you sent a message',
  edit: 'Before you changed the question',
  regenerate: 'Before you asked for another reply',
  rewind: 'Before you rewound',
  restore: 'Before you restored',
  version: 'Before you switched the version',
  summary: 'Before the summary',
  'summary-undone': 'Before you undid the summary',
  'results-dropped': 'Before old tool results were dropped',
  'results-restored': 'Before you restored tool results',
  'result-whole': 'Before you used a full tool result',
  'result-condensed': 'Before you used a condensed tool result',
  'leave-out': 'Before you left out a message',
  'bring-back': 'Before you brought back a message',
  branch: 'Before you branched',
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/**
 * A point in English, with its time of the day in the server's zone, and its day unless that is today; without either where
 * a damaged row has a time that is no date.
 */
export function pointLabel(reason: RestoreReason, at: number, now: number): string {
  if (Number.isNaN(new Date(at).getTime())) return LABELS[reason]
  const day = DAY.format(at) === DAY.format(now) ? [] : [DAY.format(at)]
  return [LABELS[reason], ...day, TIME.format(at)].join(', ')
}
