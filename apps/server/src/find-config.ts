import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { realOrNearest } from './adapters/places/real-or-nearest.ts'
import { isInside } from './adapters/workspaces.ts'
import { CONFIG_FILE, type Config, EMPTY_CONFIG, readConfigFile } from './config-file.ts'
import type { Env } from './env.ts'

/** The configuration, and a sentence for the person who starts the server about a file that does not count. */
export type FoundConfig = { config: Config; notice: string | null }

const NOTICE =
  `${CONFIG_FILE} does not count, because it is in a folder that chats work in. To use it, name it: ` +
  `PALIMPSEST_CONFIG=${CONFIG_FILE} npx pnpm@12 start`

/**
 * Reads the file that `PALIMPSEST_CONFIG` names, else the one of the start folder. The latter does not count when it is in a folder
 * that chats may work in: what a model or a repository writes there would start programs. Fails as `readConfigFile` does.
 */
export async function findConfig(
  {
    PALIMPSEST_CONFIG: named,
    PALIMPSEST_WORKSPACE: workspace,
  }: Pick<Env, 'PALIMPSEST_CONFIG' | 'PALIMPSEST_WORKSPACE'>,
  startFolder = process.cwd(),
): Promise<FoundConfig> {
  if (named !== undefined) return { config: await readConfigFile(resolve(startFolder, named)), notice: null }
  const file = join(startFolder, CONFIG_FILE)
  const real = await realpath(file).catch(() => null)
  if (real === null) return { config: EMPTY_CONFIG, notice: null }
  const folders = [dirname(real), await realpath(startFolder)]

  async function areIn(workspaces: readonly string[]): Promise<boolean> {
    const roots = await Promise.all(workspaces.map((path) => realOrNearest(resolve(startFolder, path))))
    return roots.some((root) => folders.some((folder) => isInside(root, folder)))
  }

  const ignored = { config: EMPTY_CONFIG, notice: NOTICE }
  // A file that must not count is not read either.
  if (await areIn([workspace ?? startFolder])) return ignored
  const config = await readConfigFile(file)
  return (await areIn(config.workspaces)) ? ignored : { config, notice: null }
}
