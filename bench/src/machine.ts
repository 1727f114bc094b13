import { cpus, totalmem } from 'node:os'

/** The machine of the figures. */
export function describeMachine(): string {
  const [first] = cpus()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} × ${first?.model.trim()}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`
}
