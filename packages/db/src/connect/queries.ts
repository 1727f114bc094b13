import type { Prisma } from '../generated/client.ts'
import type { RawQueries } from './statements.ts'

/**
 * What runs the queries of a transaction. A plain object: what is assigned onto a client of Prisma lands on a target
 * that all its transactions share.
 */
export type Queries = RawQueries & { readonly prisma: Prisma.TransactionClient }
