import { watchLauncher } from '../apps/server/src/launcher/launcher.ts'
import { turbo } from './lib/turbo.ts'

const tasks = process.argv.includes('--no-build') ? ['generate'] : ['generate', 'build']
const stop = new AbortController()
// Without its parent, no process could stop a server that is started next.
watchLauncher(process.env, () => stop.abort())
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => stop.abort())

console.log(`Preparing (${tasks.join(', ')}) …`)
const { code, output } = await turbo(tasks, { signal: stop.signal })
if (code !== 0 && !stop.signal.aborted) {
  console.error(output)
  console.error(
    'Where turbo or pnpm are not found, start it through pnpm: npx pnpm@12 exec node scripts/prepare.ts',
  )
}
process.exitCode = stop.signal.aborted ? 1 : code
