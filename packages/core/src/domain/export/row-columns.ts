import { amount, type Check, integer, must, nullOr, text } from '../checks/check.ts'
import { time } from '../checks/message-metadata.ts'
import { CLIENT_ID_PATTERN } from '../ids.ts'
import { IMPORT_LIMITS, LIMITS } from '../limits.ts'
import type { ColumnType } from './export-rows.ts'

const id = must('an id', (value) => typeof value === 'string' && CLIENT_ID_PATTERN.test(value))
const words = text(IMPORT_LIMITS.rowCharacters)
const title = must(
  `a text of 1 to ${LIMITS.titleCharacters} characters`,
  (value) => typeof value === 'string' && value.trim() !== '' && value.length <= LIMITS.titleCharacters,
)

/** What is wrong with a row's value, by what its column holds. */
export const COLUMN_CHECKS: Readonly<Record<ColumnType, Check>> = {
  id,
  'id?': nullOr(id),
  name: text(200, 1),
  title,
  text: words,
  'text?': nullOr(words),
  json: words,
  count: integer(0, IMPORT_LIMITS.tokensPerSession),
  'place?': nullOr(integer(0, IMPORT_LIMITS.seq)),
  index: integer(0, IMPORT_LIMITS.partsPerMessage - 1),
  time,
  'time?': nullOr(time),
  number: amount,
}
