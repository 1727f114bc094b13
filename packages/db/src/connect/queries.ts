import type { Prisma } from '../generated/client.ts'
import type { RawQueries } from './statements.ts'

/** What runs queries: inside a transaction or not. */
export type Queries = Omit<Prisma.TransactionClient, keyof RawQueries> & RawQueries
