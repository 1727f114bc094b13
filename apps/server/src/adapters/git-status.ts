import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_LINES = 20

/** Branch and changed files of the repository at `root` in at most 20 lines; null outside a repository or without git. */
export async function gitStatus(root: string): Promise<string | null> {
  try {
    const { stdout } = await run('git', ['status', '--short', '--branch'], {
      cwd: root,
      timeout: 2000,
      maxBuffer: 1024 * 1024,
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0' },
    })
    const lines = stdout.trimEnd().split('\n')
    const rest = lines.length - MAX_LINES
    return rest > 0 ? [...lines.slice(0, MAX_LINES), `and ${rest} more`].join('\n') : lines.join('\n')
  } catch {
    return null
  }
}
