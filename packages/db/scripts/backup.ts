// Copies the store, also while the host runs. node scripts/backup.ts [target]
import { dirname, join } from 'node:path'
import { backupStore } from '../src/backup.ts'
import { storePath, typedPath } from './store-path.ts'

const [given] = process.argv.slice(2)
const source = storePath()
const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
const target =
  given === undefined ? join(dirname(source), 'backups', `palimpsest-${stamp}.db`) : typedPath(given)
await backupStore(source, target)
process.stdout.write(`${target}\n`)
