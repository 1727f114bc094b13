/**
 * How providers say that a prompt does not fit: codes and types first, then wordings. Sources: the API references of
 * OpenAI, Anthropic and Google, and the server sources of llama.cpp, Ollama, LM Studio, vLLM, Mistral and xAI.
 */
const WORDINGS = [
  /context_length_exceeded|exceed_context_size_error|model_context_window_exceeded|request_too_large/,
  /maximum context length|max(imum)? model length|max_model_len|maximum prompt length/,
  /exceeds? (the )?(available |model'?s? )?(max(imum)? )?context (size|length|window|limit)/,
  /exceeds? the context window|exceeded max context length/,
  /prompt (is )?too long|input (is )?too long|input length and .?max_tokens.? exceed/,
  /input token count .*exceeds the maximum|maximum number of (input )?tokens/,
  /context (the )?overflows|loaded with context length of only|reached context length|greater than the context length/,
  /longer than the model'?s? context|reduce the length of the (messages|prompt|input)/,
]

/** True when a provider's error says that the prompt is larger than the model's window. */
export function isContextOverflow(text: string): boolean {
  const lower = text.toLowerCase()
  return WORDINGS.some((wording) => wording.test(lower))
}

/** Where refusals name the window: llama.cpp, vLLM and OpenAI, LM Studio, xAI, Anthropic. */
const NAMED = [
  /n_ctx"?\s*[:=]\s*(\d+)/,
  /available context size \((\d+) tokens\)/,
  /(?:maximum|max) (?:context|model) length (?:is|of) (\d[\d,]*)/,
  /context length of only (\d[\d,]*)/,
  /maximum prompt length is (\d[\d,]*)/,
  /tokens > (\d+) maximum/,
  /exceeds the maximum number of tokens allowed \((\d+)\)/,
]
/** Windows that are plausible, in tokens. */
const PLAUSIBLE = { min: 1_024, max: 100_000_000 }

/** The window in tokens that a refusal names; null when it names none. */
export function namedLimit(text: string): number | null {
  const lower = text.toLowerCase()
  const found = NAMED.map((wording) => wording.exec(lower)?.[1]).find((digits) => digits !== undefined)
  const limit = Number(found?.replaceAll(',', '') ?? Number.NaN)
  return limit >= PLAUSIBLE.min && limit <= PLAUSIBLE.max ? limit : null
}
