import { CLIENT_ID_PATTERN } from '@palimpsest/core/domain'
import { z } from 'zod'

const text = z.string()
const id = text.regex(CLIENT_ID_PATTERN, 'takes 1 to 128 letters, digits, _ or -')
const place = {
  sessionId: id.exactOptional(),
  workspaceRoot: text.min(1).max(4096).nullable().exactOptional(),
}
const digest = text.regex(/^[0-9a-f]{64}$/, 'takes a SHA-256 in hexadecimal')

/** The inputs of procedures about instructions, skills, commands, agents of files, and consents. */
export const sourceInputs = {
  place: z.strictObject(place).default({}),
  expand: z.strictObject({
    ...place,
    name: text.min(1).max(64),
    arguments: text
      .max(100_000)
      .overwrite((value) => value.toWellFormed())
      .default(''),
  }),
  grant: z.strictObject({ ...place, digest }),
  revoke: z.strictObject({ digest }),
}

const source = z.enum(['project', 'user', 'bundled', 'configured'])
const warnings = z.array(z.looseObject({ path: text, text }))
const listOf = <Item extends z.ZodType>(item: Item) => z.looseObject({ items: z.array(item), warnings })
const mode = z.enum(['primary', 'subagent', 'all'])
const kind = z.enum(['agent', 'hook', 'mcp', 'rule'])

export const sourceOutputs = {
  instructions: listOf(
    z.looseObject({
      path: text,
      source: z.enum(['user', 'project']),
      characters: z.number(),
      cut: z.boolean(),
    }),
  ),
  skills: listOf(z.looseObject({ name: text, description: text, source, path: text })),
  commands: listOf(z.looseObject({ name: text, description: text, hint: text, source, path: text })),
  agentFiles: listOf(
    z.looseObject({ id: text, description: text, mode, source, path: text, allowed: z.boolean() }),
  ),
  expanded: z.looseObject({ text }),
  trustItems: z.looseObject({
    items: z.array(z.looseObject({ digest: text, kind, path: text, content: text, allowed: z.boolean() })),
  }),
  consent: z.looseObject({ digest: text, kind: text, path: text, createdAt: z.number() }),
  revoked: z.looseObject({ revoked: z.boolean() }),
}
