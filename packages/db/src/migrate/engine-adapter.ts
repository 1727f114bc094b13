import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3'
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'

const QUOTED_STRING = /(?<== )"([a-z_]+)"/g

/**
 * What the schema engine talks to a database through. Everything goes over `connection`, which stays open when the
 * engine is done with it; a shadow database is another one, in memory.
 */
export function createEngineAdapter(connection: SqlDriverAdapter): SqlMigrationAwareDriverAdapterFactory {
  const shadow = new PrismaBetterSqlite3({ url: ':memory:' })
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    connect: () => Promise.resolve({ ...asTheEngineSpeaks(connection), dispose: () => Promise.resolve() }),
    connectToShadowDb: async () => asTheEngineSpeaks(await shadow.connect()),
  }
}

/**
 * The engine sends whole scripts as if they were one statement, which better-sqlite3 takes another way, and puts
 * strings in double quotes, which its SQLite reads as names.
 */
function asTheEngineSpeaks(connection: SqlDriverAdapter): SqlDriverAdapter {
  return {
    provider: connection.provider,
    adapterName: connection.adapterName,
    queryRaw: (query) => connection.queryRaw({ ...query, sql: query.sql.replace(QUOTED_STRING, "'$1'") }),
    executeRaw: async (query) => {
      if (query.args.length > 0) return connection.executeRaw(query)
      await connection.executeScript(query.sql)
      return 0
    },
    executeScript: (script) => connection.executeScript(script),
    startTransaction: (level) => connection.startTransaction(level),
    dispose: () => connection.dispose(),
  }
}
