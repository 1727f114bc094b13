import type { Child } from '../processes/child.ts'

const SAMPLE_MS = 5

/** The bytes by which a server grew at most while `work` was done; null where the system does not tell. */
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
