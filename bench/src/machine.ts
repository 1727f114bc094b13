import { cpus, totalmem } from 'node:os'

/** What the figures were taken on. */
export function describeMachine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} × ${first?.model.trim()}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}
