import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressFolder } from './compress-folder.ts'

test('PF-8 each script and style sheet is written compressed beside itself, and nothing else is', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-static-'))
  try {
    await mkdir(join(folder, 'chunks'))
    const script = 'export const words = "again and again"\n'.repeat(200)
    await writeFile(join(folder, 'chunks', 'a.js'), script)
    await writeFile(join(folder, 'chunks', 'b.css'), 'p { color: red }')
    await writeFile(join(folder, 'c.woff2'), 'font')
    await compressFolder(folder)
    expect((await readdir(join(folder, 'chunks'))).toSorted()).toEqual([
      'a.js',
      'a.js.br',
      'b.css',
      'b.css.br',
    ])
    expect(await readdir(folder)).not.toContain('c.woff2.br')
    const compressed = await readFile(join(folder, 'chunks', 'a.js.br'))
    expect(compressed.byteLength).toBeLessThan(200)
    expect(brotliDecompressSync(compressed).toString()).toBe(script)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
