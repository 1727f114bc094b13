import type { ProviderFamily } from './provider-family.ts'

/** Ids that each API takes. A server of the same kind gets its own ids back unchanged. */
const OWN_IDS: Readonly<Record<ProviderFamily, RegExp>> = {
  anthropic: /^[a-zA-Z0-9_-]{1,64}$/,
  'openai-chat': /^[a-zA-Z0-9_-]{1,40}$/,
  'openai-responses': /^[a-zA-Z0-9_-]{1,64}$/,
  google: /^[a-zA-Z0-9_-]{1,64}$/,
  mistral: /^[a-zA-Z0-9]{9}$/,
  compatible: /./s,
}
/** A server that is not known may be as strict as the strictest. */
const FOREIGN_IDS: Readonly<Record<ProviderFamily, RegExp>> = { ...OWN_IDS, compatible: OWN_IDS.mistral }

/** A name of a function that every API takes. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/
const NAME_LENGTH = 64
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const DERIVED_LENGTH = 9

/**
 * The id under which a call goes to a provider of this family: its own where the provider takes it, else nine letters and
 * digits that follow from it, which every API takes. No two calls of a request share one; `used` holds those so far, and
 * gets the new one. The same calls in the same order give the same ids.
 */
export function callId(id: string, family: ProviderFamily, own: boolean, used: Set<string>): string {
  const allowed = (own ? OWN_IDS : FOREIGN_IDS)[family]
  let sent = allowed.test(id) ? id : derive(id)
  for (let again = 1; used.has(sent); again++) sent = derive(`${id}\n${again}`)
  used.add(sent)
  return sent
}

/** The name under which a tool goes to any provider: its own where all take it, else one that follows from it alone. */
export function callName(name: string): string {
  if (NAME.test(name)) return name
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, '_').replace(/^(?![a-zA-Z_])/, '_')
  return `${readable.slice(0, NAME_LENGTH - DERIVED_LENGTH - 1)}_${derive(name)}`
}

/** FNV-1a of 64 bits (its published constants), written in letters and digits. */
function derive(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  let digits = ''
  for (let place = 0; place < DERIVED_LENGTH; place++) {
    digits += DIGITS[Number(hash % 62n)]
    hash /= 62n
  }
  return digits
}
