import { runServer } from './run-server.ts'

// What is built begins here. A compile cache would add more to its memory than it saves of its start.
await runServer(process.env)
