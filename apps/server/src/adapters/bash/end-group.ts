import type { Clock } from '@palimpsest/core/ports'
import { killMarked, MARK, processesWith, signal } from './marked-processes.ts'

/** Milliseconds between the request to end and the kill. */
const GRACE_MS = 800
/** Milliseconds between two looks at a group that was asked to end. */
const POLL_MS = 20

/** Ends a process group and everything with this mark that has left it: asks them to end, and kills what is left 0.8 s later. */
export async function endGroup(pid: number | undefined, mark: string, clock: Clock): Promise<void> {
  if (pid === undefined) return
  signal(-pid, 'SIGTERM')
  const strays = (await processesWith(MARK, mark)).filter((stray) => stray !== pid)
  for (const stray of strays) signal(stray, 'SIGTERM')
  const deadline = clock.elapsed() + GRACE_MS
  while (clock.elapsed() < deadline && (signal(-pid, 0) || strays.some((stray) => signal(stray, 0))))
    await clock.sleep(POLL_MS)
  signal(-pid, 'SIGKILL')
  await killMarked(MARK, mark)
}
