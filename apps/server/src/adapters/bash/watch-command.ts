import { readdir, readFile } from 'node:fs/promises'
import type { Clock } from '@palimpsest/core/ports'
import type { CommandBounds } from './command-bounds.ts'

/** Milliseconds between two looks: a fork bomb gets to some thousand processes, and memory to about a gigabyte, before it is seen. */
const LOOK_MS = 250
const PAGE_BYTES = 4096

/** What a process and everything below it use. */
type Usage = { bytes: number; tasks: number }

/**
 * Looks at what running processes and everything below them use, and calls `onOver` once, with the reason, when that is more than
 * the bounds. Only Linux shows it.
 */
export function watchCommand(
  processes: () => Promise<readonly number[]>,
  bounds: Pick<CommandBounds, 'memory' | 'tasks'>,
  clock: Clock,
  onOver: (reason: string) => void,
): Disposable {
  let isOver = false
  let timer = clock.after(LOOK_MS, () => void look())

  async function look(): Promise<void> {
    const { bytes, tasks } = await usageOf(await processes(), bounds)
    if (isOver) return
    const reason = overBound({ bytes, tasks }, bounds)
    if (reason === null) {
      timer = clock.after(LOOK_MS, () => void look())
      return
    }
    isOver = true
    onOver(reason)
  }

  return {
    [Symbol.dispose]() {
      isOver = true
      timer[Symbol.dispose]()
    },
  }
}

function overBound({ bytes, tasks }: Usage, bounds: Pick<CommandBounds, 'memory' | 'tasks'>): string | null {
  if (tasks > bounds.tasks) return `It had more than ${bounds.tasks} processes and threads, and was ended.`
  if (bytes > bounds.memory)
    return `It used more than ${Math.round(bounds.memory / 1024 ** 2)} MB of memory, and was ended.`
  return null
}

async function usageOf(
  roots: readonly number[],
  bounds: Pick<CommandBounds, 'memory' | 'tasks'>,
): Promise<Usage> {
  const usage = { bytes: 0, tasks: 0 }
  const open = [...roots]
  const seen = new Set<number>()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    const stat = await readFile(`/proc/${next}/stat`, 'utf8').catch(() => null)
    // It has ended meanwhile.
    if (stat === null) continue
    // Behind the name, which may hold anything: the 20th and the 24th field of the line.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const threads = Number(fields[17])
    usage.tasks += threads
    usage.bytes += Number(fields[21]) * PAGE_BYTES
    if (usage.tasks > bounds.tasks) return usage
    open.push(...(await childrenOf(next, threads)))
  }
  return usage
}

/** The processes that a process has started, by each of its threads. */
async function childrenOf(pid: number, threads: number): Promise<number[]> {
  const tasks = threads === 1 ? [`${pid}`] : await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) =>
    list
      .split(' ')
      .filter((id) => id !== '')
      .map(Number),
  )
}
