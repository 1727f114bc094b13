import { LIMITS } from '@palimpsest/core/domain'
import packageJson from '../package.json' with { type: 'json' }
import { CONFIG_FILE } from './config-file.ts'
import type { SystemInfo } from './trpc/context.ts'

/** Variables that add a real model once they are set. */
const MODEL_VARIABLES = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']

/** What clients may read about the server: of the machine only the allowed workspaces, and no key. */
export function describeSystem(
  facts: Omit<SystemInfo, 'name' | 'version' | 'runtime' | 'limits' | 'setup'>,
): SystemInfo {
  return {
    name: 'Palimpsest',
    version: packageJson.version,
    runtime: `Node ${process.versions.node}`,
    ...facts,
    limits: LIMITS,
    setup: { variables: MODEL_VARIABLES, configFile: CONFIG_FILE },
  }
}
