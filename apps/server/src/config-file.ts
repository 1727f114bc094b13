import { readFile } from 'node:fs/promises'
import { compactionSettingsSchema } from '@palimpsest/core'
import { AppError, LIMITS } from '@palimpsest/core/domain'
import { providerConfigSchema } from '@palimpsest/core/providers'
import { z } from 'zod'
import { SEARCH_KINDS } from './adapters/web/search-services.ts'
import { budgetLimits } from './budget-schema.ts'
import { describeIssues } from './describe-issues.ts'
import { hooksSchema } from './hook-schema.ts'
import { mcpServersSchema } from './mcp-config.ts'

/** The settings file, looked for in the folder where the server starts; see `findConfig` for when it counts. */
export const CONFIG_FILE = 'palimpsest.config.json'

const BYTE_ORDER_MARK = /^\uFEFF/

const permissionRule = z
  .strictObject({
    permission: z.enum(['read', 'edit', 'network', 'command', 'mcp', 'memory', '*']),
    pattern: z.string().min(1).max(LIMITS.patternCharacters),
    action: z.enum(['allow', 'deny', 'ask']),
    pinned: z.literal(true).exactOptional(),
  })
  .refine(({ pinned, action }) => pinned !== true || action === 'deny', {
    error: 'is only for a rule that denies',
    path: ['pinned'],
  })

const hostName = z
  .string()
  .max(253)
  .regex(/^[\w.:-]+$/, 'takes a host name or an address, without port or path')
  .transform((host) => host.toLowerCase())

const searchSchema = z
  .strictObject({
    kind: z.enum(SEARCH_KINDS),
    baseURL: z
      .url({ protocol: /^https?$/ })
      .max(LIMITS.addressCharacters)
      .exactOptional(),
    apiKey: z.strictObject({ env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/) }).exactOptional(),
  })
  .refine(({ kind, baseURL }) => kind !== 'searxng' || baseURL !== undefined, {
    error: 'takes the address of the SearXNG server',
    path: ['baseURL'],
  })
  .refine(({ kind, apiKey }) => kind === 'searxng' || apiKey !== undefined, {
    error: 'takes {"env": "NAME"}, the environment variable that holds the key',
    path: ['apiKey'],
  })

const configSchema = z.strictObject({
  /** For editors. */
  $schema: z.string().optional(),
  providers: providerConfigSchema.default({}),
  /** Folders that sessions may work in, beside the one where the server starts. */
  workspaces: z.array(z.string().min(1).max(4096)).max(100).default([]),
  /** Folders of skills, beside those of projects and persons. */
  skills: z.array(z.string().min(1).max(4096)).max(100).default([]),
  /** Whether the files of workspaces are kept, so that a rewind restores them; see `keepsFiles` for what counts without it. */
  snapshots: z.boolean().optional(),
  /** Hosts that web pages may be read from wherever they are, on this machine or its network too. Each is still asked about. */
  web: z
    .strictObject({
      allowedHosts: z.array(hostName).max(100).default([]),
      /** The service that models search the web with. */
      search: searchSchema.exactOptional(),
    })
    .default({ allowedHosts: [] }),
  /** What all sessions are allowed, denied or asked about; a rule that denies may be pinned. */
  permissions: z.array(permissionRule).max(LIMITS.rules).default([]),
  /** What runs before and after the steps of the loop. */
  hooks: hooksSchema.default([]),
  /** Programs and addresses whose tools models may call. */
  mcpServers: mcpServersSchema.default({}),
  /** What runs and sessions may spend. */
  budget: budgetLimits.default({}),
  /** Settings of compaction. */
  compaction: compactionSettingsSchema.default({}),
  /** Settings of one agent, by its id. */
  agents: z
    .strictObject({
      assistant: z
        .strictObject({
          maxSteps: z.int().min(1).max(1_000).optional(),
          budget: budgetLimits.optional(),
          compaction: compactionSettingsSchema.optional(),
        })
        .optional(),
    })
    .default({}),
})

export type Config = z.output<typeof configSchema>

/** The configuration without a file. */
export const EMPTY_CONFIG: Config = configSchema.parse({})

/** Reads the settings of a file. Fails with `INVALID_INPUT` that names the key and what it takes. */
export async function readConfigFile(source: string): Promise<Config> {
  const text = await readText(source)
  if (text === null) {
    throw new AppError('INVALID_INPUT', `PALIMPSEST_CONFIG names ${source}, which does not exist.`, {
      field: 'PALIMPSEST_CONFIG',
    })
  }
  const content = parseJson(text, source)
  const lost = lostKey(content)
  if (lost !== null)
    throw new AppError('INVALID_INPUT', `${source} is not right. ${lost}: is a name that nothing can have.`, {
      field: lost,
    })
  const parsed = configSchema.safeParse(content)
  if (parsed.success) return parsed.data
  throw describeIssues(parsed.error, source)
}

/** The path of a key that the schema's records would silently drop; null when there is none. */
function lostKey(content: unknown): string | null {
  if (typeof content !== 'object' || content === null) return null
  for (const [key, value] of Object.entries(content)) {
    if (key === '__proto__') return key
    const inside = lostKey(value)
    if (inside !== null) return `${key}.${inside}`
  }
  return null
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new AppError('INVALID_INPUT', `${path} cannot be read.`, { cause: error })
  }
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(BYTE_ORDER_MARK, ''))
  } catch (error) {
    const place = error instanceof Error ? (/\(line \d+ column \d+\)/.exec(error.message)?.[0] ?? '') : ''
    // The parser's message quotes the file, and with it any key written there.
    throw new AppError('INVALID_INPUT', `${source} is not valid JSON ${place}`.trimEnd().concat('.'))
  }
}
