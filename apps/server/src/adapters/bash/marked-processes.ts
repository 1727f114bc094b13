import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** The variable by which everything that a command starts is found. */
export const MARK = 'PALIMPSEST_CALL'
/** The variable with which a server finds what it left running when it was killed. */
export const OWNER = 'PALIMPSEST_STORE'

/** Ids of the processes whose environment has `name=value`. Only Linux shows them; none elsewhere. */
export async function processesWith(name: string, value: string): Promise<number[]> {
  const all = await readdir('/proc').catch(() => [])
  const found = await Promise.all(all.map((entry) => isMarked(entry, `${name}=${value}`)))
  return found.filter((pid) => pid !== null)
}

async function isMarked(entry: string, mark: string): Promise<number | null> {
  const pid = Number(entry)
  if (!Number.isInteger(pid) || pid === process.pid) return null
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
  return environment.split('\0').includes(mark) ? pid : null
}

/** Sends a signal to a process, or with a negative id to a group. Returns whether it was there. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** Milliseconds between two searches. */
const AGAIN_MS = 5
const MAX_SEARCHES = 50

/** Kills all processes with this mark, those too that they start meanwhile. */
export async function killMarked(name: string, value: string): Promise<void> {
  let without = 0
  // One search may miss a process: while a program is being started its environment cannot be read.
  for (let searches = 0; searches < MAX_SEARCHES && without < 2; searches += 1) {
    if (searches > 0) await setTimeout(AGAIN_MS)
    const pids = await processesWith(name, value)
    without = pids.length === 0 ? without + 1 : 0
    for (const pid of pids) signal(pid, 'SIGKILL')
  }
}
