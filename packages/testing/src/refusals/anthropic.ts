import { byTurns, isObject, type Json, objects, text } from './json.ts'

const ID = /^[a-zA-Z0-9_-]+$/
const NAME = /^[a-zA-Z0-9_-]{1,128}$/

/** Why Anthropic's Messages API refuses a request; null when it takes it. */
export function anthropicRefusal(body: Json): string | null {
  const { messages } = body
  if (!Array.isArray(messages)) return null
  if (messages.length === 0) return 'messages: at least one message is required'
  if (text(objects(messages)[0]?.['role']) !== 'user')
    return 'messages: first message must use the "user" role'
  return (
    first(objects(body['tools']), (tool, at) =>
      'input_schema' in tool && !NAME.test(text(tool['name']))
        ? patternOf(`tools.${at}.custom.name`, NAME)
        : null,
    ) ??
    first(objects(body['system']), (block, at) => refusedText(block, `system.${at}`)) ??
    first(objects(messages), refusedMessage) ??
    refusedTurns(byTurns(objects(messages), blocksOf))
  )
}

function blocksOf({ content }: Json): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)
}

function refusedMessage(message: Json, at: number): string | null {
  const blocks = blocksOf(message)
  if (blocks.length === 0) return `messages.${at}: all messages must have non-empty content`
  return first(blocks, (block, place) => refusedBlock(block, `messages.${at}.content.${place}`))
}

function refusedText(block: Json, path: string): string | null {
  if (block['type'] !== 'text') return null
  if (block['text'] === '') return `${path}: text content blocks must be non-empty`
  return text(block['text']).trim() === ''
    ? `${path}: text content blocks must contain non-whitespace text`
    : null
}

function refusedBlock(block: Json, path: string): string | null {
  switch (block['type']) {
    case 'text':
      return refusedText(block, path)
    case 'thinking':
      return text(block['signature']) === '' ? `${path}.thinking.signature: Field required` : null
    case 'redacted_thinking':
      return text(block['data']) === '' ? `${path}.redacted_thinking.data: Field required` : null
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return refusedCall(block, `${path}.${block['type']}`)
    case 'tool_result':
      return refusedResult(block, `${path}.tool_result`)
    default:
      return null
  }
}

function refusedCall({ id, name, input }: Json, path: string): string | null {
  if (!ID.test(text(id))) return patternOf(`${path}.id`, ID)
  if (!NAME.test(text(name))) return patternOf(`${path}.name`, NAME)
  return isObject(input) ? null : `${path}.input: Input should be a valid dictionary`
}

function refusedResult(block: Json, path: string): string | null {
  if (!ID.test(text(block['tool_use_id']))) return patternOf(`${path}.tool_use_id`, ID)
  const blank = blocksOf(block).every((inner) => text(inner['text']).trim() === '')
  if (block['is_error'] === true && blank) return `${path}: content cannot be empty if \`is_error\` is true`
  if (!Array.isArray(block['content'])) return null
  return first(blocksOf(block), (inner, place) => refusedText(inner, `${path}.content.${place}`))
}

type Turn = { role: string; content: Json[] }

function refusedTurns(turns: Turn[]): string | null {
  const replies = turns.filter(({ role }) => role === 'assistant')
  const ids = replies.flatMap(({ content }) => idsOf(content, 'tool_use', 'id'))
  if (new Set(ids).size < ids.length) return 'messages: `tool_use` ids must be unique'
  return first(turns, ({ role, content }, at) =>
    role === 'user'
      ? refusedResults(content, at, turns[at - 1]?.content ?? [])
      : refusedReply(content, at, turns.slice(at + 1)),
  )
}

function refusedReply(content: Json[], at: number, after: Turn[]): string | null {
  const calls = idsOf(content, 'tool_use', 'id')
  const answered = idsOf(after[0]?.content ?? [], 'tool_result', 'tool_use_id')
  const missing = calls.filter((id) => !answered.includes(id))
  if (missing.length > 0)
    return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`
  // Only an unfinished answer may leave a call of the provider's own open.
  const goesOn = after.length === 0 || (after.length === 1 && calls.length > 0)
  return refusedHosted(content, at, goesOn) ?? (after.length === 0 ? refusedEnd(content) : null)
}

function refusedResults(content: Json[], at: number, before: Json[]): string | null {
  const calls = idsOf(before, 'tool_use', 'id')
  const results = idsOf(content, 'tool_result', 'tool_use_id')
  const odd = results.find((id, place) => !calls.includes(id) || results.indexOf(id) !== place)
  if (odd !== undefined)
    return `messages.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${odd}`
  const firstOther = content.findIndex(({ type }) => type !== 'tool_result')
  return firstOther !== -1 && content.slice(firstOther).some(({ type }) => type === 'tool_result')
    ? `messages.${at}: \`tool_result\` blocks must come first`
    : null
}

function refusedHosted(content: Json[], at: number, goesOn: boolean): string | null {
  const isResult = ({ type }: Json) => type !== 'tool_result' && text(type).endsWith('_tool_result')
  const results = content.filter(isResult).map((block) => text(block['tool_use_id']))
  const calls = [...idsOf(content, 'server_tool_use', 'id'), ...idsOf(content, 'mcp_tool_use', 'id')]
  const open = calls.find((id) => !results.includes(id))
  if (open !== undefined && !goesOn)
    return `messages.${at}: \`server_tool_use\` block ${open} was found without a corresponding result block`
  const odd = results.find((id) => !calls.includes(id))
  return odd === undefined ? null : `messages.${at}: result block for ${odd} has no \`server_tool_use\` block`
}

function refusedEnd(content: Json[]): string | null {
  const last = content.at(-1)
  return last?.['type'] === 'text' && text(last['text']) !== text(last['text']).trimEnd()
    ? 'messages: final assistant content cannot end with trailing whitespace'
    : null
}

function idsOf(content: Json[], type: string, key: string): string[] {
  return content.filter((block) => block['type'] === type).map((block) => text(block[key]))
}

function patternOf(path: string, pattern: RegExp): string {
  return `${path}: String should match pattern '${pattern.source}'`
}

function first<Item>(
  items: readonly Item[],
  refuse: (item: Item, at: number) => string | null,
): string | null {
  for (const [at, item] of items.entries()) {
    const refused = refuse(item, at)
    if (refused !== null) return refused
  }
  return null
}
