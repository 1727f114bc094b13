import { AppError } from '../../domain/errors.ts'
import { type FileChangeRow, type FileState, sameState } from '../../domain/workspace/file-journal.ts'
import { decodeText } from '../../domain/workspace/text-file.ts'
import type { Snapshots } from '../../ports/index.ts'
import type { WantedFile } from '../files/plan-files.ts'
import type { ChangedFile, ChangeList } from './changes-service.ts'
import { isOnDisk } from './moments.ts'

/** Whether a call or an operation of the chat has made this change. */
export function isOfChat(row: FileChangeRow): boolean {
  return row.author !== 'person' && isOnDisk(row)
}

/** All that the chat did to a file, to be taken back. */
export function wholeFile(
  path: string,
  rows: readonly FileChangeRow[],
  latest: FileChangeRow | undefined,
  field: string,
): WantedFile {
  const [first] = rows
  if (first === undefined || latest === undefined)
    throw new AppError('INVALID_INPUT', 'This chat has not changed this file.', { field })
  // What is there now was left by the latest change, which another run may have made.
  const uncertain = [...rows, latest].some(({ status }) => status === 'uncertain')
  return { path, target: first.before, ours: latest.after, uncertain, notKept: null }
}

export function notKeptOf({
  path,
  reason,
  toolCallId,
  messageId,
  status,
}: FileChangeRow): ChangeList['notKept'] {
  return status === 'not-kept' && reason !== null ? [{ path, reason, toolCallId, messageId }] : []
}

export function conflictOf({
  operationId,
  path,
  status,
  createdAt: at,
}: FileChangeRow): ChangeList['conflicts'] {
  return status === 'conflict' && operationId !== null ? [{ operationId, path, at }] : []
}

/** The list of a chat in whose folder nothing is kept. */
export const NOTHING: ChangeList = { coverage: 'none', files: [], notKept: [], conflicts: [], pending: null }

export function kindOf(before: FileState | null, after: FileState | null): ChangedFile['change'] {
  if (sameState(before, after)) return 'unchanged'
  if (before === null) return 'created'
  return after === null ? 'deleted' : 'changed'
}

export function nowOf(
  found: Awaited<ReturnType<Snapshots['look']>>,
  left: FileState | null,
): ChangedFile['now'] {
  if (found.type === 'file' && sameState(found.state, left)) return 'as-left'
  return found.type === 'file' && found.state === null ? 'gone' : 'changed-since'
}

export function pendingOf(rows: readonly FileChangeRow[]): ChangeList['pending'] {
  const [first] = rows
  if (first === undefined || first.operationId === null) return null
  return { operationId: first.operationId, paths: rows.map(({ path }) => path) }
}

/** A text as a person sees it; null for what is none. */
export function shownText(bytes: Uint8Array): string | null {
  return decodeText(bytes)?.text ?? null
}

/** A text with each byte of it, as `git apply` compares it; null where its bytes are not UTF-8. */
export function patchText(bytes: Uint8Array): string | null {
  const file = decodeText(bytes)
  if (file === null || file.encoding !== 'utf-8') return null
  return file.bom ? `\uFEFF${file.text}` : file.text
}

/** A file's part of a patch that `git apply` takes. */
export function patchOf(
  path: string,
  before: FileState | null,
  after: FileState | null,
  diff: string,
): string {
  const head = [`diff --git a/${path} b/${path}`]
  if (before === null && after !== null) head.push(`new file mode ${after.mode}`)
  if (before !== null && after === null) head.push(`deleted file mode ${before.mode}`)
  if (before !== null && after !== null && before.mode !== after.mode)
    head.push(`old mode ${before.mode}`, `new mode ${after.mode}`)
  const body = after === null ? diff.replace(/^\+\+\+ .*$/m, '+++ /dev/null') : diff
  return `${head.join('\n')}\n${body.endsWith('\n') ? body : `${body}\n`}`
}
