import { byTurns, type Json, objects, text } from './json.ts'

const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

/** Why Google's generateContent refuses a request; null when it takes it. */
export function googleRefusal(body: Json): string | null {
  if (!Array.isArray(body['contents'])) return null
  const contents = objects(body['contents'])
  if (contents.length === 0) return '* GenerateContentRequest.contents: contents is not specified'
  const declared = objects(body['tools']).flatMap((tool) => objects(tool['functionDeclarations']))
  const bad = declared.findIndex(({ name }) => !NAME.test(text(name)))
  if (bad !== -1) return `tools[0].function_declarations[${bad}].name: [FIELD_INVALID] Invalid function name.`
  for (const [at, content] of contents.entries()) {
    const refused = refusedContent(content, at)
    if (refused !== null) return refused
    if (at > 0 && contents[at - 1]?.['role'] === content['role'])
      return 'Please ensure that multiturn requests alternate between user and model.'
  }
  return refusedTurns(byTurns(contents, ({ parts }) => objects(parts)))
}

function refusedTurns(turns: { role: string; content: Json[] }[]): string | null {
  if (turns[0]?.role !== 'user' || turns.at(-1)?.role !== 'user')
    return 'Please ensure that multiturn requests begin and end with a user role.'
  if (turns[0].content.some((part) => 'functionResponse' in part))
    return 'Please ensure that function response turn comes immediately after a function call turn.'
  const uneven = turns.some(({ role, content }, at) => {
    const answers = turns[at + 1]?.content ?? []
    return role === 'model' && countOf(content, 'functionCall') !== countOf(answers, 'functionResponse')
  })
  return uneven
    ? 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
    : null
}

function countOf(parts: Json[], kind: string): number {
  return parts.filter((part) => kind in part).length
}

function refusedContent({ parts }: Json, at: number): string | null {
  const all = objects(parts)
  if (all.length === 0)
    return `* GenerateContentRequest.contents[${at}].parts: contents.parts must not be empty.`
  for (const [place, part] of all.entries()) {
    const named = part['functionCall'] ?? part['functionResponse']
    if (typeof named === 'object' && named !== null && 'name' in named && !NAME.test(text(named.name)))
      return `contents[${at}].parts[${place}]: [FIELD_INVALID] Invalid function name.`
    const blank =
      Object.keys(part).every((key) => key === 'text' || key === 'thought') &&
      text(part['text']).trim() === ''
    if (blank)
      return `contents[${at}].parts[${place}].data: required oneof field 'data' must have one initialized field`
  }
  return null
}
