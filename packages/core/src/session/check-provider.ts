import { AppError } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import { API_KEY, PROVIDER_ID, type ProviderView, RESERVED_PROVIDER_IDS } from '../domain/model/provider.ts'
import type { ProviderRow } from '../ports/settings.ts'
import type { ProviderAddress, PutProvider } from './service.ts'

const SET_BY = { environment: 'the environment', file: 'the configuration file', settings: '' } as const

/** An id that a person may enter. `INVALID_INPUT` for one that has another form, is reserved, or is set elsewhere. */
export function checkProviderId(id: string, preset: readonly ProviderView[]): void {
  if (RESERVED_PROVIDER_IDS.includes(id))
    throw invalid('id', `${id} is the id of a built-in provider; take another one.`)
  if (!PROVIDER_ID.test(id))
    throw invalid('id', 'An id has up to 40 lower-case letters, digits, dots, dashes and underscores.')
  const set = preset.find((provider) => provider.id === id)
  if (set !== undefined)
    throw invalid('id', `The provider ${id} is set by ${SET_BY[set.source]} and cannot be changed here.`)
}

/** The address and the new key, normalised. A key of null removes one, an absent key keeps the stored one. */
export function checkAddress({
  kind,
  baseURL,
  apiKey,
}: ProviderAddress): ProviderAddress & { baseURL: string | null } {
  const address = baseURL === undefined || baseURL === null ? null : checkBaseURL(baseURL)
  if (kind === 'openai-compatible' && address === null)
    throw invalid(
      'baseURL',
      'An OpenAI-compatible server needs an address, such as http://127.0.0.1:8080/v1.',
    )
  return {
    kind,
    baseURL: address,
    ...(apiKey !== undefined && { apiKey: apiKey === null ? null : checkKey(apiKey) }),
  }
}

/** Fails where a stored key would be sent to another address than the one it was entered for, and where a key is missing. */
export function checkKeyIsThere(
  address: ProviderAddress & { baseURL: string | null },
  stored: ProviderRow | null,
): void {
  const { kind, baseURL, apiKey } = address
  const keeps = apiKey === undefined && stored !== null && stored.sealedKey !== null
  if (keeps && !sameAddress(address, stored))
    throw invalid('apiKey', 'Enter the key again: it is sent only to the address that it was entered for.')
  const hasKey = keeps || typeof apiKey === 'string'
  if (!hasKey && baseURL === null && kind !== 'openai-compatible')
    throw invalid('apiKey', 'This provider needs a key.')
}

export function sameAddress(
  one: Pick<ProviderRow, 'kind' | 'baseURL'>,
  other: Pick<ProviderRow, 'kind' | 'baseURL'>,
): boolean {
  return one.kind === other.kind && one.baseURL === other.baseURL
}

/** The label and the chosen ids, without blanks around them, each once. */
export function checkNames({ label, models = [] }: PutProvider): Pick<ProviderRow, 'label' | 'models'> {
  const name = label?.trim() ?? ''
  if (name.length > LIMITS.providerLabelCharacters)
    throw invalid('label', `A name has at most ${LIMITS.providerLabelCharacters} characters.`)
  if (models.length > LIMITS.modelsPerProvider)
    throw invalid('models', `A provider takes at most ${LIMITS.modelsPerProvider} ids.`)
  const ids = models.map((id) => id.trim())
  const wrong = ids.findIndex((id) => id === '' || id.length > LIMITS.modelIdCharacters)
  if (wrong >= 0)
    throw invalid(`models.${wrong}`, `An id of a model has 1 to ${LIMITS.modelIdCharacters} characters.`)
  return { label: name === '' ? null : name, models: [...new Set(ids)] }
}

/** Without a slash at its end. Credentials and queries are refused: an address is shown, a key never is. */
function checkBaseURL(given: string): string {
  const text = given.trim()
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > LIMITS.addressCharacters)
    throw invalid('baseURL', 'An address is an http or https URL, such as http://127.0.0.1:8080/v1.')
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw invalid(
      'baseURL',
      'An address holds no user name, password, query or anchor. A key has a field of its own.',
    )
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function checkKey(given: string): string {
  const key = given.trim()
  if (key === '' || key.length > LIMITS.apiKeyCharacters || !API_KEY.test(key))
    throw invalid('apiKey', 'A key is one line of characters that a header can carry.')
  return key
}

function invalid(field: string, message: string): AppError {
  return new AppError('INVALID_INPUT', message, { field })
}
