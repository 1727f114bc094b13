import type { ModelInfo, ModelRef } from '@palimpsest/core/domain'
import { matches } from '../primitives/matches.ts'
import { findModel } from './find-model.ts'

export type ModelGroup = { id: string; label: string; models: ModelInfo[] }

/** Groups at most this many recents. */
const RECENTS = 3

/**
 * Models that match the query, under their providers; without a query the recent ones come first as a group of their own.
 */
export function modelGroups(
  models: readonly ModelInfo[],
  recents: readonly ModelRef[],
  query: string,
  recentsLabel: string,
): ModelGroup[] {
  const found = models.filter((model) =>
    matches(`${model.label} ${model.modelId} ${model.providerLabel}`, query),
  )
  const providers = Map.groupBy(found, (model) => model.providerId)
  const groups = [...providers].map(([id, group]) => ({
    id,
    label: group[0]?.providerLabel ?? id,
    models: group,
  }))
  const recent = query.trim() === '' ? recentModels(models, recents) : []
  return recent.length > 0 ? [{ id: 'recents', label: recentsLabel, models: recent }, ...groups] : groups
}

function recentModels(models: readonly ModelInfo[], recents: readonly ModelRef[]): ModelInfo[] {
  const found = recents.flatMap((ref) => findModel(models, ref) ?? [])
  return [...new Set(found)].slice(0, RECENTS)
}
