import { enableCompileCache } from 'node:module'

// Modules imported after this line come from the compile cache from the second start on.
enableCompileCache()
const { runServer } = await import('./run-server.ts')
await runServer(process.env)
