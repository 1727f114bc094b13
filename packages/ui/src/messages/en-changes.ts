import type { FileChoice, FileFate, NotKeptReason } from '@palimpsest/core/domain'
import { plural } from './plural.ts'

const REASONS: Record<NotKeptReason, string> = {
  'too-large': 'too large',
  unreadable: 'cannot be read',
  folder: 'a folder or a repository of its own',
  name: 'a name that cannot be stored',
  'unknown-folder': 'nothing keeps the files of commands in this folder',
}

const CHOICES: Record<FileChoice, string> = {
  keep: 'Keep yours',
  restore: 'Restore',
  both: 'Keep both',
}

const FATES: Record<FileFate['fate'], string> = {
  restored: 'restored',
  conflict: 'changed since, stays',
  kept: 'stays',
  beside: 'restored beside yours',
  'not-kept': 'not kept',
}

/** English texts about the files that a chat has changed; outside of `Messages`, since only what is opened later has them. */
export const changesWords = {
  title: 'Changes',
  open: 'Show changes',
  list: 'Changed files',
  scope: 'Changes of',
  scopes: { chat: 'This chat', turn: 'Last turn' },
  loading: 'Changes are read',
  empty: 'No files changed',
  emptyHint: 'Files that this chat changes are listed here, with what was there before.',
  onlyTools:
    'In this folder the changes of commands are not kept, only those by the tools that write and edit.',
  nothingKept: 'No files are kept in this chat, so no change can be taken back.',
  kinds: { created: 'New', changed: 'Changed', deleted: 'Deleted', unchanged: 'As before' },
  since: { 'changed-since': 'Changed by somebody else since', gone: 'No longer there' },
  lines: (added: number, removed: number) =>
    `${plural(added, 'line', 'lines')} added, ${plural(removed, 'line', 'lines')} removed`,
  noText: 'No text, so no lines are shown.',
  part: (at: number, of: number) => `Part ${at} of ${of}`,
  takeBack: 'Take back',
  takeBackPart: 'Take this part back',
  takeBackAll: 'Take all back',
  copyPatch: 'Copy as patch',
  patchCopied: 'Patch copied',
  tookBack: (count: number) => `${plural(count, 'file is', 'files are')} restored.`,
  stayed: (count: number) =>
    `${plural(count, 'file was', 'files were')} changed by somebody else and stayed.`,
  undo: 'Undo',
  left: 'The chat has changed, but not all files are restored yet.',
  decide: 'Decide',
  conflicts: (count: number) => `${plural(count, 'file', 'files')} to decide about`,
  conflictsHint:
    'Somebody else had changed these files, so they stayed as they were. The other version is kept too.',
  pending: (count: number) => `${plural(count, 'file is', 'files are')} not restored yet.`,
  pendingHint:
    'The disk may be full or the files locked. No message is sent on files that do not match the chat.',
  retry: 'Finish restoring',
  leave: 'Go on with the files as they are',
  more: (count: number) => `and ${count} more`,
  notKept: 'Not kept',
  reasons: REASONS,
  choice: (path: string) => `What to do with ${path}`,
  choices: CHOICES,
  fates: FATES,
  fatesOf: (count: number) => `${plural(count, 'file', 'files')} in all`,
  beside: (copy: string) => `the restored version is in ${copy}`,
}

export type ChangesWords = typeof changesWords
