import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The real path of a file; of one that is missing, its name in the real path of the nearest folder above it. */
export async function realOrNearest(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const above = dirname(path)
    return above === path ? path : join(await realOrNearest(above), basename(path))
  }
}
