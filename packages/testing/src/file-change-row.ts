import type { FileChangeRow, FileState } from '@palimpsest/core/domain'

/** The state of a file whose content is called so. */
export function fileState(name: string, mode: FileState['mode'] = '100644'): FileState {
  return { id: name, mode }
}

/** A row of the journal: a call of `chat` made `a.txt` with the content `new`, where it says nothing else. */
export function fileChangeRow(change: Partial<FileChangeRow> = {}): FileChangeRow {
  return {
    ordinal: 1,
    sessionId: 'chat',
    author: 'call',
    messageId: 'msg_1',
    runId: 'run_1',
    toolCallId: 'call_1',
    madeIn: 'chat',
    operationId: null,
    root: '/w',
    path: 'a.txt',
    before: null,
    after: fileState('new'),
    status: 'made',
    reason: null,
    createdAt: 1,
    ...change,
  }
}
