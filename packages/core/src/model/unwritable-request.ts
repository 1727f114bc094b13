import { APICallError, TypeValidationError, UnsupportedFunctionalityError } from '@ai-sdk/provider'

/** Errors of the same meaning that the packages don't export, by name. */
const NAMES: ReadonlySet<string> = new Set([
  'AI_MissingToolResultsError',
  'AI_InvalidPromptError',
  'ZodError',
])

/**
 * True when an error may come from writing a request, before any of it was sent: the packages check what they made of
 * earlier answers with the schemas of their tools, and refuse a conversation for one part that does not fit them.
 */
export function isUnwritable(error: unknown): boolean {
  if (APICallError.isInstance(error)) return false
  if (TypeValidationError.isInstance(error) || UnsupportedFunctionalityError.isInstance(error)) return true
  return error instanceof Error && NAMES.has(error.name)
}
