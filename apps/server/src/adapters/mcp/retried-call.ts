import { isObject, type Json } from '@palimpsest/core/domain'
import { MCP_LIMITS, type McpAsked, type McpReply } from '@palimpsest/core/ports'
import { z } from 'zod'

/** Questions of one answer of a server. */
const MAX_QUESTIONS = 10

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const reply = z.union([
  z.object({ action: z.literal('accept'), content: z.record(z.string(), value) }),
  z.object({ action: z.enum(['decline', 'cancel']) }),
])

/** A call of the current revision that has asked: it is made again with the replies to all of its questions. */
const retry = z.object({
  type: z.literal('retry'),
  requestState: z.string().nullable(),
  /** The questions that have no reply, the next one first. */
  open: z.array(z.object({ key: z.string(), message: z.string(), schema: z.json() })),
  replies: z.record(z.string(), reply),
})

type Retry = z.output<typeof retry>

/** What a call is made again with. */
export type RetryParams = { inputResponses: Record<string, McpReply>; requestState?: string }

/** What a server asks by an answer that requires input. Throws for what a person can't be asked. */
export function askedBy({ inputRequests = {}, requestState }: RequiredInput): McpAsked | RetryParams {
  const requests = Object.entries(inputRequests)
  if (requests.length > MAX_QUESTIONS)
    throw new Error(`The server asked for more than ${MAX_QUESTIONS} things at once.`)
  const open = requests.map(([key, request]) => {
    const params = isObject(request) && isObject(request['params']) ? request['params'] : {}
    const { message, mode = 'form', requestedSchema } = params
    if (!isObject(request) || request['method'] !== 'elicitation/create' || mode !== 'form')
      throw new Error('The server asked for what this client does not offer.')
    return { key, message: typeof message === 'string' ? message : '', schema: toJson(requestedSchema) }
  })
  return next({ type: 'retry', requestState: requestState ?? null, open, replies: {} })
}

type RequiredInput = { inputRequests?: Record<string, unknown>; requestState?: string }

/** The next question, or what the call is made again with; null for a state that is none of these calls. */
export function repliedTo(state: Json, given: McpReply): McpAsked | RetryParams | null {
  const read = retry.safeParse(state)
  if (!read.success) return null
  const [asked, ...open] = read.data.open
  if (asked === undefined) return null
  return next({ ...read.data, open, replies: { ...read.data.replies, [asked.key]: given } })
}

function next(state: Retry): McpAsked | RetryParams {
  const [asked] = state.open
  if (asked === undefined)
    return {
      inputResponses: state.replies,
      ...(state.requestState !== null && { requestState: state.requestState }),
    }
  if (Buffer.byteLength(JSON.stringify(state)) > MCP_LIMITS.state)
    throw new Error(`The server asked with more than ${MCP_LIMITS.state / 1_000} KB.`)
  return { elicitation: { message: asked.message, schema: asked.schema }, state }
}

function toJson(value: unknown): Json {
  const text = JSON.stringify(value ?? null)
  return text.length > MCP_LIMITS.state ? null : JSON.parse(text)
}
