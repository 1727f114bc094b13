import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs Prisma's command line in this package and answers its exit code. Generating and Studio need no schema engine,
 * but the command line would fetch one: naming any executable keeps it from the network.
 */
export function runPrisma(args: string[]): Promise<number> {
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json')
  const env = {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    CHECKPOINT_DISABLE: '1',
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    ...process.env,
  }
  const child = spawn(process.execPath, [join(dirname(manifest), 'build/index.js'), ...args], {
    cwd: PACKAGE,
    env,
    stdio: 'inherit',
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
