import { isObject, MCP_NAME } from '@palimpsest/core/domain'
import { type Logger, MCP_LIMITS } from '@palimpsest/core/ports'
import type { SecretRef } from '@palimpsest/core/providers'
import { z } from 'zod'
import type { McpServerSettings } from './adapters/mcp/mcp-servers.ts'
import { proofOf, signInOf, signInSchema } from './mcp-sign-in-config.ts'

/** The first schema for values that it is meant for, else the second: its issues name the key, and those of a union do not. */
function either<A, B>(isFirst: (value: unknown) => boolean, first: z.ZodType<A>, second: z.ZodType<B>) {
  return z.unknown().transform((given, context): A | B => {
    const parsed = (isFirst(given) ? first : second).safeParse(given)
    if (parsed.success) return parsed.data
    // An issue that was reported is one to report with its input; the types differ in what may be undefined.
    context.issues.push(
      ...parsed.error.issues.map((issue) => ({ ...issue, input: given }) as z.core.$ZodRawIssue),
    )
    return z.NEVER
  })
}

/** A text, or the environment variable that has it, after a prefix such as `Bearer `. */
const value = either(
  (given) => typeof given !== 'object',
  z.string().max(8_192),
  z.strictObject({
    env: z.string().regex(/^[A-Za-z_]\w*$/),
    prefix: z.string().max(100).exactOptional(),
  }),
)

const common = {
  /** False: the server is left out. */
  enabled: z.boolean().default(true),
  /** Milliseconds that a call may take. */
  timeoutMs: z.int().min(1_000).max(3_600_000).exactOptional(),
}

const stdioServer = z.strictObject({
  ...common,
  command: z.string().min(1).max(4_096),
  args: z.array(z.string().max(8_192)).max(100).default([]),
  /** Variables beside the few that every command gets. */
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), value).default({}),
  /** The folder where it starts; that of Palimpsest without it. */
  cwd: z.string().min(1).max(4_096).exactOptional(),
})

const httpServer = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  headers: z.record(z.string().regex(/^[\w-]{1,100}$/), value).default({}),
  /** Origins of authorisation servers outside of the public web, or without HTTPS. */
  signInServers: z
    .array(z.url({ protocol: /^https?$/ }).max(300))
    .max(10)
    .default([]),
  signIn: signInSchema.exactOptional(),
})

/** MCP servers by their names: a program of this machine, or an address. */
export const mcpServersSchema = z
  .record(
    z.string().regex(MCP_NAME, 'must be 1 to 32 letters, digits and hyphens'),
    either((given) => isObject(given) && 'url' in given, httpServer, stdioServer),
  )
  .refine(
    (servers) => Object.keys(servers).length <= MCP_LIMITS.servers,
    `takes at most ${MCP_LIMITS.servers} servers`,
  )

export type McpServersConfig = z.output<typeof mcpServersSchema>
type Value = z.output<typeof value>

export type McpSources = {
  readSecret(ref: SecretRef): string | undefined
  logger: Logger
}

/** The servers with the values of the variables that they name. One with a variable that is not set is left out. */
export function mcpServersOf(
  config: McpServersConfig,
  { readSecret, logger }: McpSources,
): McpServerSettings[] {
  return Object.entries(config).flatMap(([name, server]): McpServerSettings[] => {
    if (!server.enabled) return []
    const { values, ...read } = readValues('command' in server ? server.env : server.headers, readSecret)
    const proof = readValues('command' in server ? {} : proofOf(server.signIn), readSecret)
    const variable = read.unset ?? proof.unset
    if (variable !== null) {
      logger.warn({ server: name, variable }, 'An MCP server is left out: a variable is not set')
      return []
    }
    const { timeoutMs } = server
    const secrets = [...read.secrets, ...proof.secrets]
    const shared = { name, secrets, ...(timeoutMs !== undefined && { timeoutMs }) }
    if ('command' in server) {
      const { command, args, cwd = process.cwd() } = server
      return [{ ...shared, kind: 'stdio', command, args, cwd, variables: values }]
    }
    const { url, signInServers } = server
    const signIn = server.signIn && signInOf(server.signIn, proof.values)
    return [{ ...shared, kind: 'http', url, headers: values, signInServers, ...(signIn && { signIn }) }]
  })
}

/** The values, what of them is secret, and the first variable that is not set. */
function readValues(named: Readonly<Record<string, Value>>, readSecret: McpSources['readSecret']) {
  const read = Object.entries(named).map(([key, one]) => ({ key, one, text: textOf(one, readSecret) }))
  const unset = read.flatMap(({ one, text }) => (text === null && typeof one === 'object' ? [one.env] : []))
  return {
    values: Object.fromEntries(read.map(({ key, text }) => [key, text ?? ''])),
    secrets: read.flatMap(({ one, text }) => secretsIn(one, text)),
    unset: unset[0] ?? null,
  }
}

function textOf(one: Value, readSecret: McpSources['readSecret']): string | null {
  if (typeof one === 'string') return one
  const secret = readSecret({ env: one.env })
  return secret === undefined || secret === '' ? null : `${one.prefix ?? ''}${secret}`
}

/** What of a value no log and no page may show: all of it, and the secret without its prefix. */
function secretsIn(one: Value, text: string | null): string[] {
  if (text === null) return []
  // A short text of the file, such as a mode or a number, is no secret, and would make logs unreadable.
  if (typeof one === 'string') return text.length < 12 ? [] : [text]
  return [text, text.slice((one.prefix ?? '').length)]
}
