import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createLabServer } from './lab-server.ts'

// The lab server as a program. `legacy` in its arguments makes it end at anything but the older way to connect.
const isLegacy = process.argv.includes('legacy')
if (isLegacy)
  process.stdin.once('data', (bytes) => {
    if (!bytes.toString('utf8').includes('"initialize"')) process.exit(1)
  })
serveStdio(() => createLabServer())
