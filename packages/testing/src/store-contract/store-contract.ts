import { describe } from 'vitest'
import { archiveContract } from './archives.ts'
import { askContract } from './asks.ts'
import { binContract } from './bin.ts'
import { blobContract } from './blobs.ts'
import { blobsAnyOrderContract } from './blobs-any-order.ts'
import { branchContract } from './branches.ts'
import { budgetContract } from './budgets.ts'
import { claimContract } from './claims.ts'
import { condensedFormsContract } from './condensed-forms.ts'
import { exportContract } from './exports.ts'
import { fileChangeContract } from './file-changes.ts'
import type { OpenFixture } from './fixtures.ts'
import { historyContract } from './history.ts'
import { importContract } from './imports.ts'
import { lastRewindContract } from './last-rewind.ts'
import { leftOutContract } from './left-out.ts'
import { leftOutAnyOrderContract } from './left-out-any-order.ts'
import { listContract } from './lists.ts'
import { memoryContract } from './memories.ts'
import { messageContract } from './messages.ts'
import { permissionContract } from './permissions.ts'
import { permissionsAnyOrderContract } from './permissions-any-order.ts'
import { promptContract } from './prompts.ts'
import { queueContract } from './queue.ts'
import { queueAnyOrderContract } from './queue-any-order.ts'
import { recallContract } from './recall.ts'
import { recordContract } from './records.ts'
import { runLogContract } from './run-log.ts'
import { runContract } from './runs.ts'
import { searchContract } from './search.ts'
import { searchAnyTextContract } from './search-any-text.ts'
import { sessionContract } from './sessions.ts'
import { settingsContract } from './settings.ts'
import { settingsAnyOrderContract } from './settings-any-order.ts'
import { snapshotContract } from './snapshots.ts'
import { subagentContract } from './subagents.ts'
import { untrustedImportContract } from './untrusted-imports.ts'

/** What every store answers to. Call it once for each, at the top of a test file. */
export function storeContract(name: string, open: OpenFixture): void {
  describe(name, () => {
    sessionContract(open)
    listContract(open)
    messageContract(open)
    recordContract(open)
    runContract(open)
    claimContract(open)
    runLogContract(open)
    askContract(open)
    permissionContract(open)
    subagentContract(open)
    permissionsAnyOrderContract(open)
    budgetContract(open)
    queueContract(open)
    queueAnyOrderContract(open)
    searchContract(open)
    searchAnyTextContract(open)
    historyContract(open)
    fileChangeContract(open)
    condensedFormsContract(open)
    leftOutContract(open)
    leftOutAnyOrderContract(open)
    lastRewindContract(open)
    promptContract(open)
    binContract(open)
    blobContract(open)
    blobsAnyOrderContract(open)
    branchContract(open)
    exportContract(open)
    importContract(open)
    archiveContract(open)
    snapshotContract(open)
    settingsContract(open)
    settingsAnyOrderContract(open)
    untrustedImportContract(open)
    memoryContract(open)
    recallContract(open)
  })
}
