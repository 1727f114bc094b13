import { AppError } from '@palimpsest/core/domain'
import { PrismaClient } from '../generated/client.ts'
import { beginWrite, type SqliteConnection } from './begin-write.ts'
import { createCheckpoints } from './checkpoints.ts'
import type { Queries } from './queries.ts'
import { openReader } from './reader.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { createSqliteAdapter, type SqliteAdapter } from './sqlite-adapter.ts'
import { createStatements, type RawQueries, type ReadQueries, type Watch } from './statements.ts'

/** Milliseconds that a transaction waits for the ones before it, which wait for no network and no tool. */
const MAX_WAIT = 60_000

/** Milliseconds, as many as a timer takes: a transaction that timed out would be rolled back under its next statements. */
const NO_TIMEOUT = 2 ** 31 - 1

/** The open database. What fails in it for a reason of its own is a `STORE_ERROR`. */
export interface Database extends AsyncDisposable {
  /**
   * Runs all of `work` on one committed state, on a connection that only reads: it never waits for a writer, and sees
   * every write that was acknowledged before. `work` must await nothing but its queries.
   */
  read<T>(work: (queries: ReadQueries) => Promise<T>): Promise<T>
  /** Runs all of `work` in one transaction. It must use nothing but the queries that it is given. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** The same for work that is raw statements only, at a fraction of the price. */
  writeRaw<T>(work: (queries: RawQueries) => Promise<T>): Promise<T>
  /** The same for work that may write megabytes. */
  writeMuch<T>(work: (queries: RawQueries) => Promise<T>): Promise<T>
  /** The committed state, to be read over any time. */
  snapshot(): Snapshot
}

type DatabaseOptions = Watch & { adapter?: SqliteAdapter }

export async function openDatabase(
  path: string,
  { adapter = createSqliteAdapter(path), ...watch }: DatabaseOptions = {},
): Promise<Database> {
  await using resources = new AsyncDisposableStack()
  const { observe } = watch
  const prisma = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: MAX_WAIT, timeout: NO_TIMEOUT },
    log: observe === undefined ? [] : [{ emit: 'event', level: 'query' }],
  })
  if (observe !== undefined) prisma.$on('query', ({ query }) => observe({ sql: query }))
  resources.defer(() => prisma.$disconnect())
  const reader = await prisma
    .$connect()
    .then(() => resources.use(openReader(path, watch)))
    .catch(fail)
  const { opened } = adapter
  const statements = createStatements(opened.client, watch)
  const checkpoints = resources.use(createCheckpoints(path, () => opened.client))
  const open = resources.move()
  return {
    read: (work) => reader.read(work).catch(fail),
    // The one connection that writes is inside the transaction for as long as it lasts.
    write: (work) => prisma.$transaction((tx) => work({ prisma: tx, ...statements })).catch(fail),
    writeRaw: (work) => transaction(opened, statements, work).catch(fail),
    writeMuch: (work) => checkpoints.after(() => transaction(opened, statements, work)).catch(fail),
    snapshot: () => openSnapshot(path, watch),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

async function transaction<T>(
  connection: SqliteConnection,
  statements: RawQueries,
  work: (queries: RawQueries) => Promise<T>,
): Promise<T> {
  const { client } = connection
  const release = await beginWrite(connection)
  try {
    const result = await work(statements)
    await statements.$executeRawUnsafe('COMMIT')
    return result
  } catch (error) {
    // SQLite has already rolled back by itself after errors such as a full disk.
    if (client.inTransaction) client.exec('ROLLBACK')
    throw error
  } finally {
    release()
  }
}

function fail(error: unknown): never {
  if (error instanceof AppError) throw error
  throw new AppError('STORE_ERROR', 'The store could not do this. Nothing of it was written.', {
    cause: error,
  })
}
