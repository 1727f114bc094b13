import { isNestedBeyond } from '../domain/json/nesting.ts'
import { type ChatPart, isToolPart } from '../domain/message/message.ts'
import { PROVIDER_LIMITS } from '../domain/model/provider-limits.ts'

/** What a part adds around the arguments, results and metadata in it. */
const LEVELS_OF_PART = 8

/**
 * The part without what is nested too deep to be lowered: the SDK validates by recursion, and one such part would break
 * every later turn. New parts are never that deep; those of older databases may be.
 */
export function shallowPart(part: ChatPart): ChatPart {
  if (!isNestedBeyond(part, PROVIDER_LIMITS.nesting + LEVELS_OF_PART)) return part
  if (!isToolPart(part)) return withoutDeepFields(part) as ChatPart
  const { approval: _approval, ...call } = withoutDeepFields(part) as typeof part
  return {
    ...call,
    state: 'output-error',
    input: 'input' in call ? call.input : {},
    output: undefined,
    errorText: 'The arguments or the result of this call are nested too deep to be shown.',
  } as ChatPart
}

function withoutDeepFields(part: ChatPart): object {
  return Object.fromEntries(
    Object.entries(part).filter(([, value]) => !isNestedBeyond(value, PROVIDER_LIMITS.nesting)),
  )
}
