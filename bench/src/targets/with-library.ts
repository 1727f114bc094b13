import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LibrarySize, seedLibrary } from '../library/seed.ts'
import { openLab } from '../targets/lab.ts'
import type { OurTarget } from '../targets/our-target.ts'

/** Calls `work` with a server on a library of that size, and removes both afterwards. */
export async function withLibrary(
  size: LibrarySize,
  work: (ours: OurTarget, database: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-library-'))
  try {
    const database = join(folder, 'library.db')
    await seedLibrary(database, size)
    await using lab = await openLab({ database })
    await work(lab.ours, database)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
