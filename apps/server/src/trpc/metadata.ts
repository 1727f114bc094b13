import { type JsonObject, LIMITS, type SessionMetadata } from '@palimpsest/core/domain'
import { z } from 'zod'

const MAX_DEPTH = 16

/** A session's metadata from a caller: a small JSON object with bounded nesting. */
export const metadata = z.unknown().transform((value, context): SessionMetadata => {
  const problem = isJsonObject(value, MAX_DEPTH)
    ? problemWith(value)
    : 'takes a JSON object, nested at most 16 times'
  if (problem === null) return value as SessionMetadata
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

function problemWith(value: JsonObject): string | null {
  if (JSON.stringify(value).length > LIMITS.metadataCharacters) {
    return `holds more than ${LIMITS.metadataCharacters} characters`
  }
  if ('titledBy' in value) return 'titledBy is set by the server'
  return 'ephemeral' in value && value['ephemeral'] !== true ? 'ephemeral takes true' : null
}

function isJsonObject(value: unknown, depth: number): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((item) => isJson(item, depth - 1))
}

function isJson(value: unknown, depth: number): boolean {
  if (depth < 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  return value === null || typeof value !== 'object' || isJsonObject(value, depth)
}
