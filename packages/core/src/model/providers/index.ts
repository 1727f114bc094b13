export { API_KEY, type ProviderConfig, providerConfigSchema, type SecretRef } from '../provider-config.ts'
export type { ProviderEnvironment } from './configured-providers.ts'
export { createModels, type ModelsDeps } from './create-models.ts'
export type { LocalServer } from './local-servers.ts'
