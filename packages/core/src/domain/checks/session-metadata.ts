import { isObject } from '../json/stored-keys.ts'
import { LIMITS } from '../limits.ts'
import { type SessionMetadata, TITLE_SOURCES } from '../session/session.ts'
import { always, type Check, type Fields, listOf, must, nullOr, object, oneOf, text } from './check.ts'

const id = text(200, 1)

const subagent = object(
  {
    ancestors: listOf(id, LIMITS.subagentDepth),
    callerAgent: id,
    askId: nullOr(id),
  },
  { undelivered: always },
)

/** What our own keys of a session's metadata hold; those of its caller hold what the caller likes. */
export const SESSION_METADATA: Fields = {
  ephemeral: always,
  subagent,
  titledBy: oneOf(TITLE_SOURCES),
  contextEstimated: always,
  prunedCopies: always,
  compaction: must('an object', isObject),
} satisfies Record<
  keyof Pick<
    SessionMetadata,
    'ephemeral' | 'subagent' | 'titledBy' | 'contextEstimated' | 'prunedCopies' | 'compaction'
  >,
  Check
>
