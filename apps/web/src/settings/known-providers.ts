import type { ProviderKind } from '@palimpsest/core/domain'

/** A provider that people know by its name, with all that its form needs but the key. */
export type KnownProvider = {
  id: string
  label: string
  kind: ProviderKind
  /** Null for the address that the kind has by itself. */
  baseURL: string | null
  /** Where one gets a key, or the program. */
  page: string
  /** A program on a machine of one's own, which needs no key. */
  local?: boolean
}

const LIKE_OPENAI = 'openai-compatible'

const hosted = (id: string, label: string, baseURL: string, page: string): KnownProvider => ({
  id,
  label,
  kind: LIKE_OPENAI,
  baseURL,
  page,
})

const local = (id: string, label: string, port: number, page: string): KnownProvider => ({
  id,
  label,
  kind: LIKE_OPENAI,
  baseURL: `http://127.0.0.1:${port}/v1`,
  page,
  local: true,
})

/** Services first, then programs, each in the order of how many people use them. */
export const KNOWN_PROVIDERS: readonly KnownProvider[] = [
  {
    id: 'openai',
    label: 'OpenAI',
    kind: 'openai',
    baseURL: null,
    page: 'https://platform.openai.com/api-keys',
  },
  {
    id: 'anthropic',
    label: 'Anthropic',
    kind: 'anthropic',
    baseURL: null,
    page: 'https://console.anthropic.com/settings/keys',
  },
  {
    id: 'google',
    label: 'Google',
    kind: 'google',
    baseURL: null,
    page: 'https://aistudio.google.com/apikey',
  },
  hosted('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', 'https://openrouter.ai/settings/keys'),
  hosted('mistral', 'Mistral', 'https://api.mistral.ai/v1', 'https://console.mistral.ai/api-keys'),
  hosted('groq', 'Groq', 'https://api.groq.com/openai/v1', 'https://console.groq.com/keys'),
  hosted('deepseek', 'DeepSeek', 'https://api.deepseek.com/v1', 'https://platform.deepseek.com/api_keys'),
  hosted('xai', 'xAI', 'https://api.x.ai/v1', 'https://console.x.ai'),
  hosted('together', 'Together', 'https://api.together.xyz/v1', 'https://api.together.ai/settings/api-keys'),
  hosted(
    'fireworks',
    'Fireworks',
    'https://api.fireworks.ai/inference/v1',
    'https://app.fireworks.ai/settings/users/api-keys',
  ),
  local('ollama', 'Ollama', 11_434, 'https://ollama.com/download'),
  local('lmstudio', 'LM Studio', 1_234, 'https://lmstudio.ai/download'),
  local('llamacpp', 'llama.cpp', 8_080, 'https://github.com/ggml-org/llama.cpp'),
  local('vllm', 'vLLM', 8_000, 'https://docs.vllm.ai'),
]
