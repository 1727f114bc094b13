import { enableCompileCache } from 'node:module'

// What is imported after this comes out of the cache from the second start on.
enableCompileCache()
const { runServer } = await import('./run-server.ts')
await runServer(process.env)
