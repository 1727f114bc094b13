import { stat } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { Database } from 'better-sqlite3'

/** Pages of the log after which a commit copies it into the database; SQLite's default. */
const PAGES = 1_000
/** Bytes of a log that a commit copies without blocking the event loop for long. */
const SHORT_LOG = PAGES * 4_096

/** When the log of the database is copied into its file. SQLite does it in a commit, which blocks the event loop. */
export type Checkpoints = AsyncDisposable & {
  /** Runs work that writes much. Its log is copied in a thread of its own, and only a short one by the next commit. */
  after<T>(work: () => Promise<T>): Promise<T>
}

export function createCheckpoints(path: string, client: () => Database): Checkpoints {
  const open = new Set<Promise<unknown>>()

  /** Lets commits copy the log again once nothing that writes much is left. */
  async function settle(work: Promise<unknown>) {
    await work.catch(() => undefined)
    const { size } = await stat(`${path}-wal`).catch(() => ({ size: 0 }))
    if (size > SHORT_LOG) await copyAside(path)
  }

  return {
    async after(work) {
      client().pragma('wal_autocheckpoint = 0')
      const working = work()
      const settled: Promise<void> = settle(working).finally(() => {
        open.delete(settled)
        if (open.size === 0 && client().open) client().pragma(`wal_autocheckpoint = ${PAGES}`)
      })
      open.add(settled)
      return await working
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(open)
    },
  }
}

/** Never rejects: a log that is not copied now is copied by a later commit. */
function copyAside(path: string): Promise<void> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: path,
      env: {},
    })
    worker.once('error', () => resolve()).once('exit', () => resolve())
  })
}
