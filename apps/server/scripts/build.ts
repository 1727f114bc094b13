import { fileURLToPath } from 'node:url'
import { buildServer } from './build-server.ts'

await buildServer(fileURLToPath(new URL('../dist', import.meta.url)))
