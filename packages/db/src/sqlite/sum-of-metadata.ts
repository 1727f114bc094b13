import { IMPORT_LIMITS } from '@palimpsest/core/domain'

/** SQL for the sum of a count in messages' metadata. What is no count, or so large that sums would overflow, is 0. */
export function sumOfMetadata(path: string): string {
  const value = `json_extract(metadata_json, '${path}')`
  const isCount = `typeof(${value}) = 'integer' AND ${value} BETWEEN 0 AND ${IMPORT_LIMITS.tokensPerMessage}`
  return `coalesce(sum(CASE WHEN ${isCount} THEN ${value} END), 0)`
}
