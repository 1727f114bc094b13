import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** The message of zod for a missing value. */
const MISSING = /^Invalid input: expected (\w+), received undefined$/

/** The path of the field at fault, such as `message.parts.0.text`; an unknown key is a field too. */
export function fieldOf(issue: Issue): string {
  const nested = nestedIssue(issue)
  const extra = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const own = [...issue.path, ...extra].map(String)
  return [...own, ...(nested === null ? [] : [fieldOf(nested)])]
    .filter((key) => key !== '')
    .join('.')
    .slice(0, 200)
}

/** The error message, without the value that was sent. */
export function messageOf(issue: Issue): string {
  const nested = nestedIssue(issue)
  if (nested !== null) return messageOf(nested)
  if (issue.code === 'unrecognized_keys') return 'is not a known key'
  return issue.message.replace(MISSING, 'is missing (expected $1)').slice(0, 300)
}

/** For a union without a match: the issue of the nearest member. */
function nestedIssue(issue: Issue): Issue | null {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return null
  const nearest = issue.errors.reduce((best, errors) => (depth(errors) > depth(best) ? errors : best))
  return nearest[0] ?? null
}

function depth(issues: readonly Issue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length))
}
