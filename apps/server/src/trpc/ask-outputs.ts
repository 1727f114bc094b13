import type { FileChange, ListedRule, PendingPermission, PendingQuestion } from '@palimpsest/core/domain'
import { z } from 'zod'

const count = z.number()
const time = z.number()
const text = z.string()
const textOrNull = text.nullable()

const asked = {
  id: text,
  sessionId: text,
  rootSessionId: text,
  runId: text,
  messageId: text,
  toolCallId: text,
  subagent: text.exactOptional(),
  createdAt: time,
}

const change: z.ZodType<FileChange> = z.looseObject({
  path: text,
  diff: text,
  added: count,
  removed: count,
  created: z.literal(true).exactOptional(),
  truncated: z.literal(true).exactOptional(),
})

const pendingPermission: z.ZodType<PendingPermission> = z.looseObject({
  ...asked,
  tool: text,
  args: z.looseObject({}),
  reason: text,
  patterns: z.array(text),
  change: change.exactOptional(),
})

const listedRule: z.ZodType<ListedRule> = z.looseObject({
  id: textOrNull,
  permission: text,
  pattern: text,
  action: z.enum(['allow', 'deny', 'ask']),
  source: z.enum(['manifest', 'project', 'session']),
  pinned: z.literal(true).exactOptional(),
  boxed: z.literal(true).exactOptional(),
  createdAt: time.nullable(),
  workspaceRoot: textOrNull,
})

const pendingQuestion: z.ZodType<PendingQuestion> = z.looseObject({
  ...asked,
  questions: z.array(
    z.looseObject({
      question: text,
      options: z.array(z.looseObject({ label: text, description: text.exactOptional() })),
      multiple: z.boolean().exactOptional(),
      hint: text.exactOptional(),
      preset: z.array(text).exactOptional(),
      optional: z.literal(true).exactOptional(),
      closed: z.literal(true).exactOptional(),
    }),
  ),
  form: z.looseObject({ server: text, message: text }).exactOptional(),
})

/** The outputs of the procedures about permissions and questions. */
export const askOutputs = {
  pendingPermissions: z.looseObject({ items: z.array(pendingPermission) }),
  pendingQuestions: z.looseObject({ items: z.array(pendingQuestion) }),
  replied: z.looseObject({ replied: z.boolean() }),
  rules: z.looseObject({ items: z.array(listedRule) }),
  revoked: z.looseObject({ revoked: z.boolean() }),
}
