import { readdirSync, readFileSync } from 'node:fs'

/** Bytes of memory of a process; null where the system does not give it. */
export function memoryOf(pid: number): number | null {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1]
  return kilobytes === undefined ? null : Number(kilobytes) * 1024
}

/** Bytes of memory that a process alone has, and that no file holds; null as above. */
export function privateMemoryOf(pid: number): number | null {
  const lines = readProc(pid, 'smaps_rollup')?.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+)/gm)
  return lines === undefined
    ? null
    : [...lines].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1024, 0)
}

/** Bytes of a process and all its descendants; shared pages count for each. Null as above. */
export function memoryOfAll(pid: number): number | null {
  const own = memoryOf(pid)
  if (own === null) return null
  return descendants(parents(), pid).reduce((sum, each) => sum + (memoryOf(each) ?? 0), own)
}

/** The descendants of a process, from a map of processes to their parents. */
export function descendants(parentOf: ReadonlyMap<number, number>, pid: number): number[] {
  const children = [...parentOf].filter(([, parent]) => parent === pid).map(([child]) => child)
  return children.flatMap((child) => [child, ...descendants(parentOf, child)])
}

/** Every process of this machine with its parent. */
function parents(): Map<number, number> {
  const pids = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
  return new Map(
    pids.map((pid) => [pid, Number(/^PPid:\s+(\d+)/m.exec(readProc(pid, 'status') ?? '')?.[1] ?? 0)]),
  )
}

/** A file of `/proc` about a process; null on other systems, or when the process has ended. */
export function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
