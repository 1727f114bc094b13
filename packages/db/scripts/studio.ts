// Opens Prisma Studio on the store, also while the host runs. Further arguments go to Studio (--port 5555, --browser none).
import { pathToFileURL } from 'node:url'
import { runPrisma } from './prisma-cli.ts'
import { storePath } from './store-path.ts'

process.exitCode = await runPrisma([
  'studio',
  '--url',
  pathToFileURL(storePath()).href,
  ...process.argv.slice(2),
])
