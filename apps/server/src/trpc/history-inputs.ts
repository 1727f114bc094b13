import { LIMITS } from '@palimpsest/core/domain'
import { z } from 'zod'
import { fields, fileChoices } from './inputs.ts'

const { id, model, metadata, session, pageSize, cursor } = fields
/** Providers name calls freely. */
const callId = z.string().min(1).max(1024)

const files = { files: fileChoices.exactOptional() }

/** Inputs of the history procedures. */
export const historyInputs = {
  session,
  message: z.strictObject({ sessionId: id, messageId: id }),
  rewind: z.strictObject({ sessionId: id, messageId: id, preview: z.boolean().exactOptional(), ...files }),
  unrewind: z.strictObject({ sessionId: id, operationId: id.exactOptional(), ...files }),
  version: z.strictObject({ sessionId: id, messageId: id, operationId: id, ...files }),
  points: z.strictObject({
    sessionId: id,
    limit: z.number().int().min(1).max(LIMITS.restorePoints).exactOptional(),
    before: id.exactOptional(),
  }),
  point: z.strictObject({ sessionId: id, pointId: id, preview: z.boolean().exactOptional(), ...files }),
  preview: z.strictObject({
    sessionId: id,
    pointId: id,
    limit: pageSize.exactOptional(),
    cursor: cursor.exactOptional(),
  }),
  branch: z.strictObject({
    sessionId: id,
    fromMessageId: id,
    metadata: metadata.exactOptional(),
    model: model.exactOptional(),
  }),
  condensed: z.strictObject({ sessionId: id, messageId: id, toolCallId: callId }),
  fit: z.strictObject({ sessionId: id, model }),
  export: z.strictObject({
    sessionId: id,
    format: z.enum(['jsonl', 'json']).exactOptional(),
    files: z.boolean().exactOptional(),
  }),
  import: z.strictObject({ data: z.string().min(1).max(LIMITS.requestBytes) }),
}
