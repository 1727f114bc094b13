import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BLOB_PENDING_MS } from '@palimpsest/core/domain'
import type { Clock, Processes } from '@palimpsest/core/ports'

/** The outputs of commands that are longer than a result, each in a file by the mark of its command. */
export type OutputFolder = {
  pathOf(mark: string): string
  /** Keeps the file for as long as the blob with this hash is stored. */
  keep(mark: string, hash: string): Promise<void>
  remove(mark: string): Promise<void>
  sweep: Processes['sweepOutputs']
}

const OUTPUT = '.txt'
/** Beside an output: the hash of the blob with which it is kept. */
const BLOB = '.blob'

/** `isRunning` says whether a command still writes its output. */
export function createOutputFolder(
  folder: string,
  { clock, isRunning }: { clock: Pick<Clock, 'now'>; isRunning(mark: string): boolean },
): OutputFolder {
  const pathOf = (mark: string) => join(folder, `${mark}${OUTPUT}`)
  const blobPathOf = (mark: string) => join(folder, `${mark}${BLOB}`)

  async function remove(mark: string): Promise<void> {
    await rm(pathOf(mark), { force: true })
    await rm(blobPathOf(mark), { force: true })
  }

  async function isNew(mark: string): Promise<boolean> {
    const file = await stat(pathOf(mark)).catch(() => null)
    return file !== null && file.mtimeMs > clock.now() - BLOB_PENDING_MS
  }

  return {
    pathOf,
    keep: (mark, hash) => writeFile(blobPathOf(mark), hash, { mode: 0o600 }),
    remove,
    async sweep(stored) {
      const names = await readdir(folder).catch(() => [])
      const marks = new Set(names.map((name) => name.replace(/\.(?:txt|blob)$/, '')))
      const found = await Promise.all(
        [...marks]
          .filter((mark) => !isRunning(mark))
          .map(async (mark) => ({ mark, hash: await readFile(blobPathOf(mark), 'utf8').catch(() => null) })),
      )
      const known = new Set(await stored(found.flatMap(({ hash }) => hash ?? [])))
      for (const { mark, hash } of found)
        if (hash === null ? !(await isNew(mark)) : !known.has(hash)) await remove(mark)
    },
  }
}
