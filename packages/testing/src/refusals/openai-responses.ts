import { isObject, type Json, objects, text } from './json.ts'

const NAME = /^[a-zA-Z0-9_-]{1,64}$/
const LENGTH = 64

/** Items that an answer consists of beside its reasoning; a reasoning item is refused without the one that followed it. */
const OUTPUT = /_call$|^message$|^program$|^compaction$/

/** Why OpenAI's Responses API refuses a request; null when it takes it. */
export function responsesRefusal(body: Json): string | null {
  if (!Array.isArray(body['input'])) return null
  const input = objects(body['input'])
  if (input.length === 0) return "Invalid 'input': empty array"
  const badTool = objects(body['tools']).findIndex((tool) => 'name' in tool && !NAME.test(text(tool['name'])))
  if (badTool !== -1)
    return `Invalid 'tools[${badTool}].name': string does not match pattern '${NAME.source}'`
  const stored = body['store'] !== false
  for (const [at, item] of input.entries()) {
    const refused = refusedItem(item, at, stored) ?? refusedPair(item, at, input)
    if (refused !== null) return refused
  }
  return null
}

function refusedItem(item: Json, at: number, stored: boolean): string | null {
  const type = typeOf(item)
  for (const key of ['id', 'call_id']) {
    const value = item[key]
    if (value === '')
      return `Invalid 'input[${at}].${key}': empty string. Expected a string with minimum length 1`
    if (typeof value === 'string' && value.length > LENGTH)
      return `Invalid 'input[${at}].${key}': string too long. Expected a string with maximum length ${LENGTH}, but got a string with length ${value.length} instead.`
  }
  if ('name' in item && !NAME.test(text(item['name'])))
    return `Invalid 'input[${at}].name': string does not match pattern '${NAME.source}'`
  if (type === 'item_reference' && !stored)
    return `Item with id '${text(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`
  if (type === 'message' && isEmpty(item['content'])) return `Invalid 'input[${at}].content': empty content`
  return null
}

function refusedPair(item: Json, at: number, input: Json[]): string | null {
  const rest = input.slice(at + 1)
  const id = text(item['call_id'])
  switch (typeOf(item)) {
    case 'function_call':
    case 'custom_tool_call': {
      if (input.slice(0, at).some((other) => typeOf(other) === typeOf(item) && other['call_id'] === id))
        return `Duplicate item found with call_id ${id}.`
      const answered = rest.some(
        (other) => typeOf(other) === `${typeOf(item)}_output` && other['call_id'] === id,
      )
      return answered ? null : `No tool output found for function call ${id}.`
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const call = typeOf(item).replace(/_output$/, '')
      const asked = input.slice(0, at).some((other) => typeOf(other) === call && other['call_id'] === id)
      return asked ? null : `No tool call found for function call output with call_id ${id}.`
    }
    case 'reasoning': {
      const next = rest.find((other) => typeOf(other) !== 'reasoning')
      const followed = next !== undefined && OUTPUT.test(typeOf(next)) && next['role'] !== 'user'
      return followed
        ? null
        : `Item '${text(item['id'])}' of type 'reasoning' was provided without its required following item.`
    }
    default:
      return null
  }
}

function typeOf(item: Json): string {
  return text(item['type']) || 'message'
}

function isEmpty(content: unknown): boolean {
  if (typeof content === 'string') return content.trim() === ''
  return objects(content).every(
    (part) => isObject(part) && 'text' in part && text(part['text']).trim() === '',
  )
}
