/**
 * Loaded into a server before its program: counts what the server does that does not depend on the machine. `SQLITE` names the
 * package of SQLite that the server loads.
 */
import { createHook } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { registerHooks } from 'node:module'

/** What the server has done since it started. */
export type Counts = {
  transactions: number
  statements: number
  programs: number
  /** Asynchronous calls of files. */
  fileCalls: number
  /** Modules of files, this one not counted. */
  modules: number
}

const counts: Counts = { transactions: 0, statements: 0, programs: 0, fileCalls: 0, modules: 0 }

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) counts.modules += 1
    return next(url, context)
  },
})
createHook({
  init(_id, type) {
    if (type.startsWith('FSREQ')) counts.fileCalls += 1
  },
}).enable()
subscribe('child_process', () => {
  counts.programs += 1
})
await countStatements(process.env['SQLITE'] ?? '')

process.on('message', (message) => {
  if (message === 'counts') process.send?.(counts)
})
process.channel?.unref()

type Statement = Record<'run' | 'get' | 'all' | 'iterate', (...values: unknown[]) => unknown> & {
  source: string
}

async function countStatements(address: string): Promise<void> {
  // The package that the server loads has no types here.
  const { default: Sqlite } = (await import(address)) as {
    default: new (path: string) => { prepare(sql: string): Statement; close(): void }
  }
  const database = new Sqlite(':memory:')
  const prototype: Statement = Object.getPrototypeOf(database.prepare('SELECT 1'))
  for (const method of ['run', 'get', 'all', 'iterate'] as const) {
    const original = prototype[method]
    prototype[method] = function counted(this: Statement, ...values: unknown[]) {
      counts.statements += 1
      if (this.source === 'COMMIT') counts.transactions += 1
      return original.apply(this, values)
    }
  }
  database.close()
}
