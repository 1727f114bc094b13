import { API_KEY } from '@palimpsest/core/domain'
import { DEFAULT_DATABASE_URL } from '@palimpsest/db'
import { z } from 'zod'
import { toKey } from './adapters/vault/vault-key.ts'
import { describeIssues } from './describe-issues.ts'

const flag = z
  .enum(['on', 'off', '1', '0', 'true', 'false'])
  .transform((value) => ['on', '1', 'true'].includes(value))
const count = (max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(max))

const apiKey = z.string().trim().regex(API_KEY)

const envSchema = z.object({
  PORT: count(65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z.string().default(DEFAULT_DATABASE_URL),
  PALIMPSEST_CONFIG: z.string().optional(),
  PALIMPSEST_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/)
    .optional(),
  PALIMPSEST_ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((host) => host.trim().toLowerCase() || [])),
  PALIMPSEST_WEB: flag.default(true),
  PALIMPSEST_DEV: flag.default(false),
  PALIMPSEST_DISCOVER: flag.default(true),
  PALIMPSEST_WORKSPACE: z.string().optional(),
  PALIMPSEST_AGENT_FOLDER: z.string().optional(),
  PALIMPSEST_DEMO_SPEED: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().positive().max(1000))
    .default(1),
  PALIMPSEST_RATE_LIMIT: count(10_000_000).default(6000),
  PALIMPSEST_GRACE_MS: count(600_000).default(10_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  OPENAI_API_KEY: apiKey.optional(),
  OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  ANTHROPIC_API_KEY: apiKey.optional(),
  ANTHROPIC_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  GOOGLE_GENERATIVE_AI_API_KEY: apiKey.optional(),
  SEARXNG_URL: z.url({ protocol: /^https?$/ }).optional(),
  BRAVE_API_KEY: apiKey.optional(),
  TAVILY_API_KEY: apiKey.optional(),
  EXA_API_KEY: apiKey.optional(),
  PALIMPSEST_SECRET_KEY: z.string().transform(toKey).pipe(z.custom<Buffer>(Buffer.isBuffer)).optional(),
})

const KEY_TAKES = 'an API key, one line of characters that a header can carry'

const TAKES: Record<string, string> = {
  PALIMPSEST_SECRET_KEY: '32 bytes in base64 or hexadecimal, such as of `openssl rand -base64 32`',
  PORT: 'a number from 0 to 65535',
  PALIMPSEST_TOKEN: 'visible ASCII characters without spaces',
  PALIMPSEST_WEB: 'on or off',
  PALIMPSEST_DEV: 'on or off',
  PALIMPSEST_DISCOVER: 'on or off',
  PALIMPSEST_DEMO_SPEED: 'how many times faster the demo model types',
  PALIMPSEST_RATE_LIMIT: 'requests a minute, or 0 for no limit',
  PALIMPSEST_GRACE_MS: 'milliseconds up to 600000',
  OPENAI_API_KEY: KEY_TAKES,
  ANTHROPIC_API_KEY: KEY_TAKES,
  GOOGLE_GENERATIVE_AI_API_KEY: KEY_TAKES,
  SEARXNG_URL: 'an http or https address',
  BRAVE_API_KEY: KEY_TAKES,
  TAVILY_API_KEY: KEY_TAKES,
  EXA_API_KEY: KEY_TAKES,
  LOG_LEVEL: 'trace, debug, info, warn, error, fatal or silent',
  OPENAI_BASE_URL: 'an http or https address',
  ANTHROPIC_BASE_URL: 'an http or https address',
}

/** Settings of the environment, with their defaults. The only place that names the variables. */
export type Env = z.output<typeof envSchema>

/** Reads the settings of an environment; empty variables count as unset. Fails with `INVALID_INPUT` that names the variable. */
export function readEnv(environment: Record<string, string | undefined>): Env {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== '')
  const parsed = envSchema.safeParse(Object.fromEntries(set))
  if (parsed.success) return parsed.data
  throw describeIssues(parsed.error, 'The environment', (field) => TAKES[field])
}
