import { workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

// Started by `createCheckpoints` with the path of the database.
const connection = new Sqlite(String(workerData), { fileMustExist: true })
connection.pragma('wal_checkpoint(PASSIVE)')
connection.close()
