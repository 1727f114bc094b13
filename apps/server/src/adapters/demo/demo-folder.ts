import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DemoFolder } from '@palimpsest/core/ports'
import { realOrNearest } from '../places/real-or-nearest.ts'

const README = `# A folder for the demo

The demo model shows its tools in this folder: it reads this file, and writes and changes others.
Nothing else uses the folder. Delete it when you like; the next demo chat makes a new one.
`

/** The folder at `path`, which is made with a README when a chat first needs it. */
export async function openDemoFolder(path: string): Promise<DemoFolder> {
  const root = await realOrNearest(path)
  return {
    root,
    async make() {
      const made = await mkdir(root, { recursive: true, mode: 0o700 })
      if (made !== undefined) await writeFile(join(root, 'README.md'), README)
    },
  }
}
