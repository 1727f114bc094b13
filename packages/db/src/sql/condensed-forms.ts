import { type CondensedOutputs, withFormUsed } from '@palimpsest/core/domain'
import type { RawQueries } from '../connect/statements.ts'
import { changeMetadata, type MetadataTarget } from './change-metadata.ts'

/**
 * Adds condensed forms to a message's metadata, beside those that are there. False when there is no such message, or its
 * metadata cannot be read.
 */
export function addCondensed(
  queries: RawQueries,
  { condensed, ...target }: MetadataTarget & { condensed: CondensedOutputs },
): Promise<boolean> {
  return changeForms(queries, target, (forms) => ({ ...condensed, ...forms }))
}

/** Puts the form of a call in use or out of it; false as `addCondensed`. */
export function setFormUsed(
  queries: RawQueries,
  { toolCallId, used, ...target }: MetadataTarget & { toolCallId: string; used: boolean },
): Promise<boolean> {
  return changeForms(queries, target, (forms) => withFormUsed(forms, toolCallId, used))
}

function changeForms(
  queries: RawQueries,
  target: MetadataTarget,
  change: (forms: CondensedOutputs) => CondensedOutputs,
): Promise<boolean> {
  return changeMetadata(queries, target, (metadata) => ({
    ...metadata,
    condensed: change(metadata.condensed ?? {}),
  }))
}
