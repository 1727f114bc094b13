import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'

const compress = promisify(brotliCompress)

/**
 * Writes each script and style sheet of a folder and of those below it a second time, as `<name>.br`, compressed as far
 * as Brotli can: an eighth smaller than gzip, and no work for the server when they are asked for.
 */
export async function compressFolder(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  for (const name of names.filter((one) => /\.(?:js|css)$/.test(one))) {
    const path = join(folder, name)
    await writeFile(`${path}.br`, await compress(await readFile(path)))
  }
}
