import { readdirSync, readFileSync } from 'node:fs'

/** Bytes of memory that a process holds; null where the system does not tell. */
export function memoryOf(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** Bytes that a process and all that it has started hold; pages that they share count for each. Null as above. */
export function memoryOfAll(pid: number): number | null {
  const own = memoryOf(pid)
  if (own === null) return null
  return descendants(parents(), pid).reduce((sum, each) => sum + (memoryOf(each) ?? 0), own)
}

/** What descends from a process, by who started whom (a process to its parent). */
export function descendants(parentOf: ReadonlyMap<number, number>, pid: number): number[] {
  const children = [...parentOf].filter(([, parent]) => parent === pid).map(([child]) => child)
  return children.flatMap((child) => [child, ...descendants(parentOf, child)])
}

/** Every process of this machine to its parent. */
function parents(): Map<number, number> {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
  return new Map(
    pids.map((pid) => [pid, Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1] ?? 0)]),
  )
}

/** A file of what the system tells of a process; null where it tells nothing, or when that has ended. */
export function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
