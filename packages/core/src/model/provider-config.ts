import { z } from 'zod'
import { PROVIDER_ID, PROVIDER_KINDS, RESERVED_PROVIDER_IDS } from '../domain/model/provider.ts'

const tokens = z.int('takes a whole number of tokens').positive('takes a number of tokens above 0')
const price = z.number('takes US dollars for a million tokens').nonnegative('takes a price of 0 or more')
const secret = z.strictObject(
  { env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'takes the name of an environment variable') },
  'takes {"env": "NAME"}, the environment variable that holds the key',
)

const modelSettings = z.strictObject({
  label: z.string().min(1).max(100).optional(),
  contextLimit: tokens.optional(),
  maxOutput: tokens.optional(),
  inputPrice: price.optional(),
  outputPrice: price.optional(),
  cacheReadPrice: price.optional(),
  cacheWritePrice: price.optional(),
  inputs: z.array(z.enum(['text', 'image', 'pdf', 'audio', 'video'])).optional(),
  tools: z.boolean().optional(),
  /** Reasoning efforts that the server takes. */
  variants: z.array(z.string().min(1).max(40)).max(20).optional(),
  cheap: z.boolean().optional(),
})

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** A header that can't be sent would fail every call, in words that quote it. */
const headers = z.record(z.string(), z.string('takes a text')).superRefine((given, context) => {
  for (const [name, value] of Object.entries(given)) {
    const wrong = HEADER_NAME.test(name)
      ? !HEADER_VALUE.test(value) && 'takes one line of letters that a header can hold'
      : 'is no name of a header'
    if (wrong) context.addIssue({ code: 'custom', path: [name], message: wrong, input: name })
  }
})

const provider = z
  .strictObject({
    kind: z.enum(PROVIDER_KINDS, `takes one of ${PROVIDER_KINDS.join(', ')}`),
    label: z.string().min(1).max(100).optional(),
    baseURL: z
      .url({ protocol: /^https?$/, error: 'takes an http or https URL, such as http://127.0.0.1:8080/v1' })
      .optional(),
    apiKey: secret.optional(),
    /** Of kind `openai` only. Default `responses`. */
    api: z.enum(['responses', 'chat'], 'takes responses or chat').optional(),
    headers: headers.optional(),
    /** Takes model ids that are not listed; `defaults` says what is known of those. */
    anyModel: z.boolean().optional(),
    defaults: modelSettings.optional(),
    models: z.record(z.string().min(1).max(200), modelSettings).optional(),
  })
  .refine(({ kind, baseURL }) => kind !== 'openai-compatible' || baseURL !== undefined, {
    path: ['baseURL'],
    error: 'is needed for kind openai-compatible, such as http://127.0.0.1:8080/v1',
  })
  .refine(({ kind, api }) => api === undefined || kind === 'openai', {
    path: ['api'],
    error: 'goes with kind openai only',
  })

/** What is wrong with a provider's id; null when nothing is. */
function idProblem(id: string): string | null {
  if (RESERVED_PROVIDER_IDS.includes(id)) return `takes any name but ${RESERVED_PROVIDER_IDS.join(', ')}`
  return PROVIDER_ID.test(id)
    ? null
    : 'takes up to 40 lower-case letters, digits, dots, dashes and underscores'
}

/** The `providers` part of `palimpsest.config.json`: any number of providers under ids of one's own. */
export const providerConfigSchema = z.record(z.string(), provider).superRefine((config, context) => {
  // A schema for the keys would report only that one of them is invalid.
  for (const id of Object.keys(config)) {
    const message = idProblem(id)
    if (message !== null) context.addIssue({ code: 'custom', path: [id], message, input: id })
  }
})

export type ProviderConfig = z.infer<typeof providerConfigSchema>
export type ProviderSettings = ProviderConfig[string]
export type ModelSettings = z.infer<typeof modelSettings>
/** Names a secret that is kept outside the configuration. */
export type SecretRef = z.infer<typeof secret>
