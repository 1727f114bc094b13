import { AppError } from '@palimpsest/core/domain'
import { type Prisma, PrismaClient } from '../generated/client.ts'
import { SEARCH_VOCABULARY } from '../sqlite/search-index.ts'
import { SESSION_MOVES } from '../sqlite/session-moves.ts'
import { beginWrite, type SqliteConnection } from './begin-write.ts'
import type { Queries } from './queries.ts'
import { openSnapshot, type Snapshot } from './snapshot.ts'
import { createSqliteAdapter } from './sqlite-adapter.ts'
import { createStatements, type RawQueries } from './statements.ts'

/** Milliseconds; transactions only wait for one another, never for the network or a tool. */
const PATIENCE = 60_000

/** The open database. What fails in it for a reason of its own is a `STORE_ERROR`. */
export interface Database extends AsyncDisposable {
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Runs all of `work` in one transaction. It must use nothing but the queries that it is given. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** The same for work that is raw statements only, at a fraction of the price. */
  writeRaw<T>(work: (queries: RawQueries) => Promise<T>): Promise<T>
  /** What is there now, to be read at leisure. */
  snapshot(): Snapshot
}

export async function openDatabase(
  path: string,
  observe?: (query: { sql: string }) => void,
): Promise<Database> {
  const adapter = createSqliteAdapter(path, SESSION_MOVES + SEARCH_VOCABULARY)
  const prisma = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: PATIENCE, timeout: PATIENCE },
    log: observe === undefined ? [] : [{ emit: 'event', level: 'query' }],
  })
  if (observe !== undefined) prisma.$on('query', ({ query }) => observe({ sql: query }))
  await prisma.$connect().catch(fail)
  const { opened } = adapter
  const statements = createStatements(opened.client, observe && ((sql) => observe({ sql })))
  const reading = withRaw(prisma, takingTurns(statements, opened))
  return {
    read: (work) => work(reading).catch(fail),
    // The one connection is inside the transaction for as long as it lasts.
    write: (work) => prisma.$transaction((queries) => work(withRaw(queries, statements))).catch(fail),
    writeRaw: (work) => transaction(opened, statements, work).catch(fail),
    snapshot: () => openSnapshot(path, observe),
    [Symbol.asyncDispose]: () => prisma.$disconnect(),
  }
}

function withRaw(queries: Prisma.TransactionClient, raw: RawQueries): Queries {
  return Object.assign(Object.create(queries), raw)
}

function takingTurns(statements: RawQueries, { mutex }: SqliteConnection): RawQueries {
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const release = await mutex.acquire()
    return await work().finally(release)
  }
  return {
    $queryRawUnsafe: (sql, ...values) => inTurn(() => statements.$queryRawUnsafe(sql, ...values)),
    $executeRawUnsafe: (sql, ...values) => inTurn(() => statements.$executeRawUnsafe(sql, ...values)),
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
