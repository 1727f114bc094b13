import { type PointPage, RESTORE_REASONS, type RestorePoint } from '@palimpsest/core'
import { z } from 'zod'
import { contextWindow, outputs } from './outputs.ts'

const restorePoint: z.ZodType<RestorePoint> = z.looseObject({
  pointId: z.string(),
  reason: z.enum(RESTORE_REASONS),
  label: z.string(),
  messageId: z.string().nullable(),
  at: z.number(),
  messages: z.number(),
  tokens: z.number().nullable(),
})

const pointPage: z.ZodType<PointPage> = z.looseObject({
  items: z.array(outputs.message),
  nextCursor: z.string().nullable(),
  messages: z.number(),
  contextWindow: contextWindow.nullable(),
})

/** Outputs of the history procedures. */
export const historyOutputs = { restorePoints: z.array(restorePoint), pointPage }
