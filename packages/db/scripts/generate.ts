// Generates Prisma's client into src/generated. Works offline.
import { runPrisma } from './prisma-cli.ts'

process.exitCode = await runPrisma(['generate'])
