import { turbo } from './lib/turbo.ts'

const tasks = process.argv.includes('--no-build') ? ['generate'] : ['generate', 'build']
console.log(`Preparing (${tasks.join(', ')}) …`)
const { code, output } = await turbo(tasks)
if (code !== 0) {
  console.error(output)
  console.error(
    'Where turbo or pnpm are not found, start it through pnpm: npx pnpm@12 exec node scripts/prepare.ts',
  )
}
process.exitCode = code
