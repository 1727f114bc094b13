import { appRouter } from './routers/app-router.ts'
import { runServer } from './run-server.ts'
import { dropOutputChecks } from './trpc/output-checks.ts'

// What is built begins here. A compile cache would add more to its memory than it saves of its start.
dropOutputChecks(appRouter)
await runServer(process.env)
