import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns a `PATH` with which a server finds no sandbox: in `folder` is a `bwrap` that fails. */
export async function pathWithoutSandbox(folder: string): Promise<string> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(join(bin, 'bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  return `${bin}:${process.env['PATH'] ?? ''}`
}
