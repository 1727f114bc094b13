import { type CallToolResult, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'

const BOOKING = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, title: 'Your name' },
    seats: { type: 'integer' as const, default: 2, minimum: 1, maximum: 10 },
    meal: { type: 'string' as const, enum: ['meat', 'fish'], default: 'fish' },
    notify: { type: 'boolean' as const, default: true },
  },
  required: ['name'],
}

const word = (title: string) => ({
  type: 'object' as const,
  properties: { word: { type: 'string' as const, title } },
})

/** The tools of the lab server that ask a person; null for any other tool. */
export function askingTool(
  name: string,
  replies: Readonly<Record<string, unknown>>,
  state: unknown,
): CallToolResult | InputRequiredResult | null {
  switch (name) {
    case 'book': {
      const { booking } = replies
      if (booking !== undefined) return said(booking)
      const asked = inputRequired.elicit({ message: 'Whom is it for?', requestedSchema: BOOKING })
      return inputRequired({ inputRequests: { booking: asked } })
    }
    case 'steps':
      return steps(replies, typeof state === 'string' ? state : '')
    case 'greedy': {
      const names = Array.from({ length: 30 }, (_, index) => [`f${index}`, { type: 'string' as const }])
      const requestedSchema = { type: 'object' as const, properties: Object.fromEntries(names) }
      return inputRequired({
        inputRequests: { all: inputRequired.elicit({ message: 'All', requestedSchema }) },
      })
    }
    default:
      return null
  }
}

/** Two forms one after the other; the first reply is in the state. */
function steps(replies: Readonly<Record<string, unknown>>, state: string) {
  const { first, second } = replies
  if (second !== undefined) return said([JSON.parse(state), second])
  const key = first === undefined ? 'first' : 'second'
  const asked = inputRequired.elicit({ message: key, requestedSchema: word(key) })
  const requestState = first === undefined ? {} : { requestState: JSON.stringify(first) }
  return inputRequired({ inputRequests: { [key]: asked }, ...requestState })
}

function said(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}
