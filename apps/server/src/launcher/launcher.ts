import { readFileSync } from 'node:fs'

/** Milliseconds between two checks of the parent process. */
const LOOK_MS = 1000

/** The name that npm sets while it runs a package. */
const NPX = /^(npm exec|npx) /

/**
 * Calls `gone` when the npx that started the package manager, which started this process, has ended: a signal to npx
 * ends npx only, and not the processes under it. A server started another way may outlive its parent. Linux
 * only.
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

/** The nearest match among a process and its ancestors. */
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
