import { realpath } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { realOrNearest } from './adapters/places/real-or-nearest.ts'
import { isInside } from './adapters/workspaces.ts'
import { CONFIG_FILE, type Config, EMPTY_CONFIG, readConfigFile } from './config-file.ts'
import type { Env } from './env.ts'

/** The configuration, and what a person has to be told about one that does not count; null when there is nothing to tell. */
export type FoundConfig = { config: Config; notice: string | null }

/**
 * Reads the file that `PALIMPSEST_CONFIG` names, else the one of the start folder. The latter does not count when it is in a folder
 * that chats may work in: what a model wrote there, or a repository brought, would start programs. Fails as `readConfigFile` does.
 */
export async function findConfig({
  PALIMPSEST_CONFIG,
  PALIMPSEST_WORKSPACE,
}: Pick<Env, 'PALIMPSEST_CONFIG' | 'PALIMPSEST_WORKSPACE'>): Promise<FoundConfig> {
  if (PALIMPSEST_CONFIG !== undefined)
    return { config: await readConfigFile(PALIMPSEST_CONFIG), notice: null }
  const file = await realpath(CONFIG_FILE).catch(() => null)
  if (file === null) return { config: await readConfigFile(undefined), notice: null }
  const lies = [dirname(file), await realOrNearest(process.cwd())]
  const isIn = async (workspace: string) => {
    const real = await realOrNearest(resolve(workspace))
    return lies.some((folder) => isInside(real, folder))
  }
  if (await isIn(PALIMPSEST_WORKSPACE ?? '.')) return { config: EMPTY_CONFIG, notice: NOTICE }
  const config = await readConfigFile(undefined)
  for (const workspace of config.workspaces)
    if (await isIn(workspace)) return { config: EMPTY_CONFIG, notice: NOTICE }
  return { config, notice: null }
}

const NOTICE =
  `${CONFIG_FILE} is in a folder that chats may work in, so it does not count until you name it: ` +
  `PALIMPSEST_CONFIG=${CONFIG_FILE} npx pnpm@12 start`
