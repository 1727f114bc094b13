import { readFileSync } from 'node:fs'

/** Milliseconds between two looks at whether it is still there. */
const LOOK_MS = 1000

/** As npm names itself while it runs a package. */
const NPX = /^(npm exec|npx) /

/**
 * Calls `gone` when the npx has ended that a package manager was started by, and this process by that: a signal to npx
 * ends npx, and reaches nothing of what it has started. Who is started otherwise may outlive whoever did it. On Linux
 * alone.
 */
export function watchLauncher(environment: Record<string, string | undefined>, gone: () => void): void {
  const manager = environment['npm_execpath']?.split(/[\\/]/) ?? []
  const npx = manager.includes('_npx') ? findNpx(process.ppid) : null
  if (npx === null) return
  const looking = setInterval(() => {
    if (isAlive(npx)) return
    clearInterval(looking)
    gone()
  }, LOOK_MS)
  looking.unref()
}

/** The nearest among a process and those that it descends from. */
function findNpx(pid: number): number | null {
  const command = readProc(pid, 'cmdline')?.replaceAll('\0', ' ')
  if (command === undefined) return null
  if (NPX.test(command)) return pid
  const parent = /^PPid:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1]
  return parent === undefined ? null : findNpx(Number(parent))
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
