import { AppError } from '@palimpsest/core/domain'
import { Mutex } from 'async-mutex'
import type Sqlite from 'better-sqlite3'
import { beginWrite, createBegin } from './begin-write.ts'
import { createCheckpoints } from './checkpoints.ts'
import { openConnection } from './connection.ts'
import { createLogPlaces } from './log-places.ts'
import { openReader } from './reader.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { createStatements, type RawQueries, type ReadQueries, type Watch } from './statements.ts'

/** The open database. What fails in it for a reason of its own is a `STORE_ERROR`. */
export interface Database extends AsyncDisposable {
  /**
   * Runs all of `work` on one committed state, on a connection that only reads: it never waits for a writer, and sees
   * every write that was acknowledged before. `work` must await nothing but its queries.
   */
  read<T>(work: (queries: ReadQueries) => Promise<T>): Promise<T>
  /** Runs all of `work` in one transaction. It must use nothing but the queries that it is given. */
  write<T>(work: (queries: RawQueries) => Promise<T>): Promise<T>
  /** The same for work that may write megabytes. */
  writeMuch<T>(work: (queries: RawQueries) => Promise<T>): Promise<T>
  /** The committed state, to be read over any time. */
  snapshot(): Snapshot
}

/** `writer` is the connection that writes. */
type DatabaseOptions = Watch & { writer?: Sqlite.Database }

export async function openDatabase(
  path: string,
  { writer, ...watch }: DatabaseOptions = {},
): Promise<Database> {
  await using resources = new AsyncDisposableStack()
  const logs = createLogPlaces()
  const mutex = new Mutex()
  const { client, reader } = opened(() => {
    const client = writer ?? openConnection(path, { readonly: false })
    // Last of all, once what is under way is written: only a connection that writes puts the log of SQLite into the file.
    resources.defer(() => mutex.runExclusive(() => void client.close()))
    return { client, reader: resources.use(openReader(path, watch, logs)) }
  })
  const statements = createStatements(client, watch, logs)
  const connection = { client, mutex, begin: createBegin(client) }
  const checkpoints = resources.use(createCheckpoints(path, () => client))
  const open = resources.move()

  async function transaction<T>(work: (queries: RawQueries) => Promise<T>): Promise<T> {
    const release = await beginWrite(connection)
    try {
      const result = await work(statements)
      await statements.$executeRawUnsafe('COMMIT')
      logs.commit()
      return result
    } catch (error) {
      // SQLite has already rolled back by itself after errors such as a full disk.
      if (client.inTransaction) client.exec('ROLLBACK')
      logs.rollBack()
      throw error
    } finally {
      release()
    }
  }

  return {
    read: (work) => reader.read(work).catch(fail),
    write: (work) => transaction(work).catch(fail),
    writeMuch: (work) => checkpoints.after(() => transaction(work)).catch(fail),
    snapshot: () => openSnapshot(path, watch, logs),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

function opened<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    return fail(error)
  }
}

function fail(error: unknown): never {
  if (error instanceof AppError) throw error
  throw new AppError('STORE_ERROR', 'The store could not do this. Nothing of it was written.', {
    cause: error,
  })
}
