import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { asciiOnly } from './ascii-only.ts'
import { sourcePlaces } from './source-places.ts'

const MAIN = fileURLToPath(new URL('../src/start.ts', import.meta.url))

/**
 * Writes the server as JavaScript into a folder: `main.mjs`, and a file for each part that is loaded when it is first needed.
 * Names and line breaks are kept, and a comment names the source of what follows it, so that stacks stay readable.
 */
export async function buildServer(folder: string): Promise<void> {
  await using bundle = await rolldown({
    input: { main: MAIN },
    platform: 'node',
    plugins: [sourcePlaces(folder), asciiOnly()],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    // Modules by their name: what reads PDFs may read no package.json, and a test builds outside of any package.
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    cleanDir: true,
  })
}
