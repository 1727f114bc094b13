import { checkBoundaries } from './boundaries/check.ts'

const { violations, unread, modules } = await checkBoundaries(process.cwd())
for (const violation of violations) console.error(violation)
for (const file of unread) console.error(`not read: ${file}`)
console.log(`${modules} modules read, ${violations.length} violations, ${unread.length} unread`)
process.exitCode = violations.length + unread.length > 0 ? 1 : 0
