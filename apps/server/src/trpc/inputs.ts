import {
  CLIENT_ID_PATTERN,
  FILE_CHOICES,
  INSPECT_LIMITS,
  LIMITS,
  PERMISSION_MODES,
} from '@palimpsest/core/domain'
import { z } from 'zod'
import { budgetLimits } from '../budget-schema.ts'
import { messageParts } from './message-parts.ts'
import { metadata } from './metadata.ts'

const id = z.string().regex(CLIENT_ID_PATTERN, 'takes 1 to 128 letters, digits, _ or -')
/** A text column cannot hold lone surrogates, and a repeated call has to match the stored text. */
const text = z.string().overwrite((value) => value.toWellFormed())
const name = text.min(1).max(200)
const path = text.min(1).max(4096)
const cursor = z.string().min(1).max(1024)
const pageSize = z.int().min(1).max(LIMITS.pageSize)
const title = text.trim().min(1).max(LIMITS.titleCharacters)
const time = z.int().min(0).max(8_640_000_000_000_000)

const model = z.strictObject({
  providerId: name,
  modelId: name,
  variant: name.exactOptional(),
})

const session = z.strictObject({ sessionId: id })
const message = z.strictObject({ sessionId: id, messageId: id })
/** The last event id that a reconnecting client sends. It gets everything from the start, so that the id is ignored. */
const lastEventId = z.string().max(1024).exactOptional()
const sessionAndRun = z.strictObject({ sessionId: id, runId: id.exactOptional() })

/** Whose rules: those of a session, or else of a folder's sessions. */
const ruleScope = { sessionId: id.exactOptional(), workspaceRoot: path.exactOptional() }

/** Fields that several inputs share. */
export const fields = { id, model, session, metadata, pageSize, cursor }

/** Paths that one call may name. */
export const MAX_PATHS = 10_000

/** What a person chooses for files that somebody else has changed. */
export const fileChoices = z.array(z.strictObject({ path, choice: z.enum(FILE_CHOICES) })).max(MAX_PATHS)
const aboutFiles = { files: fileChoices.exactOptional(), filesAsTheyAre: z.boolean().exactOptional() }

/** The input of each procedure. */
export const inputs = {
  session,
  message,
  abort: sessionAndRun.extend({ pauseQueue: z.boolean().exactOptional() }),
  stream: sessionAndRun.extend({ lastEventId }),
  create: z
    .strictObject({
      id: id.exactOptional(),
      title: title.exactOptional(),
      agent: name.exactOptional(),
      model: model.exactOptional(),
      workspaceRoot: path.nullable().exactOptional(),
      mode: z.enum(PERMISSION_MODES).exactOptional(),
      metadata: metadata.exactOptional(),
    })
    .default({}),
  list: z
    .strictObject({
      limit: pageSize.exactOptional(),
      cursor: cursor.exactOptional(),
      search: z.string().max(LIMITS.searchCharacters).exactOptional(),
      archived: z.boolean().exactOptional(),
      deleted: z.boolean().exactOptional(),
      ephemeral: z.boolean().exactOptional(),
      parentId: id.exactOptional(),
      agent: name.exactOptional(),
      workspaceRoot: path.exactOptional(),
    })
    .default({}),
  prompts: z.strictObject({
    sessionId: id,
    limit: pageSize.exactOptional(),
    cursor: cursor.exactOptional(),
  }),
  messages: z.strictObject({
    sessionId: id,
    limit: pageSize.exactOptional(),
    cursor: cursor.exactOptional(),
    hidden: z.boolean().exactOptional(),
  }),
  inspected: z.strictObject({
    sessionId: id,
    limit: z.int().min(1).max(INSPECT_LIMITS.messages).exactOptional(),
    cursor: cursor.exactOptional(),
  }),
  locate: session.extend({ messageId: id.exactOptional() }),
  delete: session.extend({ withBranches: z.boolean().exactOptional() }),
  rename: z.strictObject({ sessionId: id, title }),
  chooseFolder: z.strictObject({ sessionId: id, workspaceRoot: path }),
  send: z.strictObject({
    sessionId: id,
    message: z.strictObject({ id: id.exactOptional(), parts: messageParts }),
    model: model.exactOptional(),
    agent: name.exactOptional(),
    replaceMessageId: id.exactOptional(),
    steer: z.boolean().exactOptional(),
    ...aboutFiles,
  }),
  resend: z.strictObject({ sessionId: id, messageId: id, model: model.exactOptional(), ...aboutFiles }),
  events: z.strictObject({ sessionId: id.exactOptional(), lastEventId }).default({}),
  queueEdit: z.strictObject({
    sessionId: id,
    messageId: id,
    parts: messageParts.exactOptional(),
    model: model.exactOptional(),
    steer: z.boolean().exactOptional(),
  }),
  cancelled: z.strictObject({
    sessionId: id,
    limit: pageSize.exactOptional(),
    cursor: cursor.exactOptional(),
  }),
  files: z.strictObject({
    query: z.string().max(LIMITS.searchCharacters),
    sessionId: id.exactOptional(),
    workspaceRoot: path.nullable().exactOptional(),
  }),
  mcpServer: z.strictObject({ name: z.string().min(1).max(64) }),
  /** The rules of a name and an address, in words for a person, are the core's. */
  mcpDefinition: z.strictObject({
    name: z.string().min(1).max(64),
    server: z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('stdio'),
        command: z.string().min(1).max(4_096),
        args: z.array(z.string().max(8_192)).max(100),
        env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(8_192)),
      }),
      z.strictObject({
        kind: z.literal('http'),
        url: z.string().min(1).max(2_048),
        headers: z.record(z.string().regex(/^[\w-]{1,100}$/), z.string().max(8_192)),
      }),
    ]),
  }),
  /** `origin` is that of the page: the sign-in leads back to it. */
  mcpSignIn: z.strictObject({
    name: z.string().min(1).max(64),
    origin: z.url({ protocol: /^https?$/ }).max(300),
  }),
  process: z.strictObject({ sessionId: id, processId: id }),
  processOutput: z.strictObject({ sessionId: id, processId: id, from: z.int().min(0).exactOptional() }),
  pending: z.strictObject({ sessionId: id.exactOptional() }).default({}),
  permissionReply: z.strictObject({
    permissionId: id,
    reply: z.enum(['once', 'session', 'project', 'deny']),
    pattern: text.min(1).max(LIMITS.patternCharacters).exactOptional(),
    reason: text.max(LIMITS.replyCharacters).exactOptional(),
  }),
  permissionRules: z.strictObject(ruleScope).default({}),
  permissionRevoke: z.strictObject({ ruleId: id, ...ruleScope }),
  budget: z.strictObject({ sessionId: id, limits: budgetLimits }),
  permissionMode: z.strictObject({ sessionId: id, mode: z.enum(PERMISSION_MODES) }),
  answer: z.strictObject({
    questionId: id,
    answers: z
      .array(z.array(text.max(LIMITS.replyCharacters)).max(LIMITS.formOptions))
      .max(LIMITS.formFields),
    refused: z.enum(['decline', 'cancel']).exactOptional(),
  }),
  reorder: z.strictObject({ sessionId: id, messageIds: z.array(id).max(LIMITS.queuedMessages) }),
  search: z.strictObject({
    text: z.string().min(1).max(LIMITS.searchCharacters),
    limit: pageSize.exactOptional(),
    cursor: cursor.exactOptional(),
    sessionId: id.exactOptional(),
  }),
  usage: z.strictObject({ since: time.exactOptional(), until: time.exactOptional() }).default({}),
  none: z.strictObject({}).optional(),
}
