import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TemporaryRepository extends Disposable {
  readonly root: string
}

/** A git repository in a temporary folder with these files (path to text), gone when disposed. */
export function temporaryRepository(files: Readonly<Record<string, string>>): TemporaryRepository {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'palimpsest-'))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
