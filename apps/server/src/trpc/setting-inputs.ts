import { LIMITS, PROVIDER_KINDS } from '@palimpsest/core/domain'
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

/** The inputs of settings and providers. */
export const settingInputs = {
  none: inputs.none,
  set: z.strictObject({
    defaultModel: fields.model.nullable().exactOptional(),
    instructions: text.max(LIMITS.instructionsCharacters).exactOptional(),
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
