import type { Child } from '../processes/child.ts'

const SAMPLE_MS = 5

/** The highest growth in bytes of a server during `work`; null where the system gives no memory. */
export async function peakMemory(server: Child, work: () => Promise<unknown>): Promise<number | null> {
  const before = server.rss()
  if (before === null) {
    await work()
    return null
  }
  let most = before
  const look = () => {
    most = Math.max(most, server.rss() ?? before)
  }
  const sampler = setInterval(look, SAMPLE_MS)
  try {
    await work()
  } finally {
    clearInterval(sampler)
  }
  look()
  return most - before
}
