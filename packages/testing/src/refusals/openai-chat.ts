import { type Json, objects, text } from './json.ts'

/** What differs between servers of the chat format; `any` is what all of them refuse. */
export type ChatServer = 'any' | 'openai' | 'mistral'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const MISTRAL_ID = /^[a-zA-Z0-9]{9}$/
const OPENAI_ID_LENGTH = 40

/** Why a server of the chat-completions format refuses a request; null when it takes it. */
export function chatRefusal(body: Json, server: ChatServer): string | null {
  if (!Array.isArray(body['messages'])) return null
  const messages = objects(body['messages'])
  if (messages.length === 0) return "Invalid 'messages': empty array. Expected an array with minimum length 1"
  const badTool = objects(body['tools']).find((tool) => !NAME.test(nameOf(tool)))
  if (badTool) return `Invalid 'tools[].function.name': '${nameOf(badTool)}' does not match '${NAME.source}'`
  for (const [at, message] of messages.entries()) {
    const refused = refusedMessage(message, at, server) ?? refusedOrder(messages, at, server)
    if (refused !== null) return refused
  }
  const last = text(messages.at(-1)?.['role'])
  if (last === 'user' || last === 'tool') return null
  return `Expected last role User or Tool for serving but got ${last}`
}

function refusedMessage(message: Json, at: number, server: ChatServer): string | null {
  const { role, content } = message
  const calls = objects(message['tool_calls'])
  const blank = isBlank(content)
  if (role === 'assistant' && blank && calls.length === 0)
    return `Invalid assistant message at messages[${at}]: content or tool_calls must be set`
  if (role === 'user' && blank) return `Invalid 'messages[${at}].content': empty content`
  for (const [place, call] of calls.entries()) {
    const path = `messages[${at}].tool_calls[${place}]`
    if (!NAME.test(nameOf(call)))
      return `Invalid '${path}.function.name': string does not match pattern '${NAME.source}'`
    const refused = refusedId(text(call['id']), path, server) ?? refusedArguments(call, path)
    if (refused !== null) return refused
  }
  return null
}

function refusedId(id: string, path: string, server: ChatServer): string | null {
  if (id === '') return `Invalid '${path}.id': empty string. Expected a string with minimum length 1`
  if (server === 'mistral' && !MISTRAL_ID.test(id))
    return `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`
  if (server === 'openai' && id.length > OPENAI_ID_LENGTH)
    return `Invalid '${path}.id': string too long. Expected a string with maximum length ${OPENAI_ID_LENGTH}`
  return null
}

function refusedArguments(call: Json, path: string): string | null {
  const given = call['function']
  const written =
    typeof given === 'object' && given !== null && 'arguments' in given ? text(given.arguments) : ''
  try {
    const value: unknown = JSON.parse(written)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return null
  } catch {
    // Falls through: no JSON at all is refused like JSON of another kind.
  }
  return `Invalid '${path}.function.arguments': not a JSON object`
}

function refusedOrder(messages: Json[], at: number, server: ChatServer): string | null {
  const { role, tool_calls, tool_call_id } = messages[at] ?? {}
  const before = text(messages[at - 1]?.['role'])
  if (role === 'assistant') {
    const calls = objects(tool_calls).map(({ id }) => text(id))
    const twice = calls.find((id, place) => calls.indexOf(id) !== place)
    if (twice !== undefined) return `Duplicate value for 'tool_call_id' of ${twice} in messages[${at}]`
    const missing = calls.filter((id) => !answersAfter(messages, at).includes(id))
    if (missing.length > 0)
      return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`
    if (before === 'assistant' || before === 'system' || before === '')
      return `Unexpected role 'assistant' after role '${before}'`
  }
  if (role === 'tool' && !callsBefore(messages, at).includes(text(tool_call_id)))
    return "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
  if (server === 'mistral' && role === 'user' && (before === 'user' || before === 'tool'))
    return `Unexpected role 'user' after role '${before}'`
  return null
}

function answersAfter(messages: Json[], at: number): string[] {
  const rest = messages.slice(at + 1)
  const end = rest.findIndex(({ role }) => role !== 'tool')
  return rest.slice(0, end === -1 ? rest.length : end).map(({ tool_call_id }) => text(tool_call_id))
}

function callsBefore(messages: Json[], at: number): string[] {
  const asked = messages.slice(0, at).findLast(({ role }) => role !== 'tool')
  return objects(asked?.['tool_calls']).map(({ id }) => text(id))
}

function isBlank(content: unknown): boolean {
  if (Array.isArray(content)) return content.length === 0
  return text(content).trim() === ''
}

function nameOf({ function: named }: Json): string {
  return typeof named === 'object' && named !== null && 'name' in named ? text(named.name) : ''
}
