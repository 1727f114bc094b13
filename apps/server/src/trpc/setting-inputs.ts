import { LIMITS, MEMORY_LIMITS, MEMORY_SCOPES, PROVIDER_KINDS } from '@palimpsest/core/domain'
import { z } from 'zod'
import { fields, inputs } from './inputs.ts'

const text = z.string().overwrite((value) => value.toWellFormed())
const kind = z.enum(PROVIDER_KINDS, `takes one of ${PROVIDER_KINDS.join(', ')}`)
/** The rules of an id, an address and a key, in words for a person, are the core's. */
const providerId = z.string().min(1).max(40)
const address = {
  baseURL: z.string().max(LIMITS.addressCharacters).nullable().exactOptional(),
  apiKey: z.string().max(LIMITS.apiKeyCharacters).nullable().exactOptional(),
}

const scope = z.enum(MEMORY_SCOPES, `takes one of ${MEMORY_SCOPES.join(', ')}`)
const folder = z.string().min(1).max(4_096)

/** The inputs of memories. That a field is not blank is for the core to say. */
export const memoryInputs = {
  list: z
    .strictObject({
      limit: z.int().min(1).max(LIMITS.pageSize).exactOptional(),
      cursor: z.string().max(200).exactOptional(),
      scope: scope.exactOptional(),
      workspaceRoot: folder.exactOptional(),
    })
    .default({}),
  write: z.strictObject({
    id: fields.id.exactOptional(),
    scope,
    workspaceRoot: folder.exactOptional(),
    name: text.max(MEMORY_LIMITS.name),
    description: text.max(MEMORY_LIMITS.description),
    type: text.max(MEMORY_LIMITS.type).default('note'),
    body: text.max(MEMORY_LIMITS.body),
  }),
  delete: z.strictObject({ id: fields.id }),
}

/** The inputs of settings and providers. */
export const settingInputs = {
  none: inputs.none,
  set: z.strictObject({
    defaultModel: fields.model.nullable().exactOptional(),
    instructions: text.max(LIMITS.instructionsCharacters).exactOptional(),
    proposeMemories: z.boolean().exactOptional(),
  }),
  provider: z.strictObject({
    id: providerId,
    kind,
    ...address,
    label: text.max(LIMITS.providerLabelCharacters).exactOptional(),
    models: z.array(text.max(LIMITS.modelIdCharacters)).max(LIMITS.modelsPerProvider).exactOptional(),
  }),
  test: z.strictObject({ id: providerId.exactOptional(), kind: kind.exactOptional(), ...address }),
  remove: z.strictObject({ id: providerId }),
}
