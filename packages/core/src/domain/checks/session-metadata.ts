import { type SessionMetadata, TITLE_SOURCES } from '../session.ts'
import { isObject } from '../stored-keys.ts'
import { always, type Check, type Fields, must, oneOf } from './check.ts'

/** What our own keys of a session's metadata hold; those of its caller hold what the caller likes. */
export const SESSION_METADATA: Fields = {
  ephemeral: always,
  titledBy: oneOf(TITLE_SOURCES),
  contextEstimated: always,
  prunedCopies: always,
  compaction: must('an object', isObject),
} satisfies Record<
  keyof Pick<SessionMetadata, 'ephemeral' | 'titledBy' | 'contextEstimated' | 'prunedCopies' | 'compaction'>,
  Check
>
