import { AppError } from '@palimpsest/core/domain'
import { type Prisma, PrismaClient } from '../generated/client.ts'
import { SEARCH_VOCABULARY } from '../sqlite/search-index.ts'
import { SESSION_MOVES } from '../sqlite/session-moves.ts'
import { createSqliteAdapter } from './sqlite-adapter.ts'

/** Milliseconds; transactions only wait for one another, never for the network or a tool. */
const PATIENCE = 60_000

/** What runs queries: inside a transaction or not. */
export type Queries = Prisma.TransactionClient

/** The open database. What fails in it for a reason of its own is a `STORE_ERROR`. */
export interface Database extends AsyncDisposable {
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Runs all of `work` in one transaction. It must use nothing but the queries that it is given. */
  write<T>(work: (queries: Queries) => Promise<T>): Promise<T>
}

export async function openDatabase(
  path: string,
  observe?: (query: { sql: string }) => void,
): Promise<Database> {
  const prisma = new PrismaClient({
    adapter: createSqliteAdapter(path, SESSION_MOVES + SEARCH_VOCABULARY),
    transactionOptions: { maxWait: PATIENCE, timeout: PATIENCE },
    log: observe === undefined ? [] : [{ emit: 'event', level: 'query' }],
  })
  if (observe !== undefined) prisma.$on('query', ({ query }) => observe({ sql: query }))
  const database: Database = {
    read: (work) => work(prisma).catch(fail),
    write: (work) => prisma.$transaction(work).catch(fail),
    [Symbol.asyncDispose]: () => prisma.$disconnect(),
  }
  await prisma.$connect().catch(fail)
  return database
}

function fail(error: unknown): never {
  if (error instanceof AppError) throw error
  throw new AppError('STORE_ERROR', 'The store could not do this. Nothing of it was written.', {
    cause: error,
  })
}
