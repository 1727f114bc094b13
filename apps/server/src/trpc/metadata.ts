import { type JsonObject, LIMITS, type SessionMetadata } from '@palimpsest/core/domain'
import { z } from 'zod'

const MAX_DEPTH = 16

/** A session's metadata from outside: a small JSON object that is not nested without end. `titledBy` is the server's own. */
export const metadata = z
  .custom<JsonObject>((value) => isJsonObject(value, MAX_DEPTH), 'takes a JSON object')
  .refine(
    (value) => JSON.stringify(value).length <= LIMITS.metadataCharacters,
    `holds more than ${LIMITS.metadataCharacters} characters`,
  )
  .refine((value) => !('titledBy' in value), 'titledBy is set by the server')
  .refine((value) => !('ephemeral' in value) || value['ephemeral'] === true, 'ephemeral takes true')
  .transform((value): SessionMetadata => value as SessionMetadata)

function isJsonObject(value: unknown, depth: number): value is JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((item) => isJson(item, depth - 1))
}

function isJson(value: unknown, depth: number): boolean {
  if (depth < 0) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth - 1))
  return value === null || typeof value !== 'object' || isJsonObject(value, depth)
}
