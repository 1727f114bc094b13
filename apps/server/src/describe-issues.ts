import { AppError } from '@palimpsest/core/domain'
import type { z } from 'zod'
import { fieldOf, messageOf } from './zod-issue.ts'

/** An error for the author of a setting: the file or variable, its key, and what it takes. */
export function describeIssues(
  error: z.ZodError,
  source: string,
  takes: (field: string) => string | undefined = () => undefined,
): AppError {
  const lines = error.issues.map((issue) => {
    const field = fieldOf(issue)
    return `${field || 'it'}: ${takes(field) ? `takes ${takes(field)}` : messageOf(issue)}`
  })
  const first = error.issues[0]
  return new AppError('INVALID_INPUT', `${source} is not right. ${lines.join('; ')}.`, {
    field: first === undefined ? '' : fieldOf(first),
  })
}
