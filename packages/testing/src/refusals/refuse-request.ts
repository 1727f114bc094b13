import type { IncomingHttpHeaders } from 'node:http'
import type { ScriptedReply } from '../scripted-provider-reply.ts'
import { anthropicRefusal } from './anthropic.ts'
import { googleRefusal } from './google.ts'
import { type Json, text } from './json.ts'
import { type ChatServer, chatRefusal } from './openai-chat.ts'
import { responsesRefusal } from './openai-responses.ts'

type Request = { path: string; body: Json; headers: IncomingHttpHeaders }

/** The answer of the API that a request is for, when that would refuse it; null for what it takes. */
export function refuseRequest({ path, body, headers }: Request): ScriptedReply | null {
  const { pathname } = new URL(path, 'http://provider')
  if (pathname.endsWith('/messages'))
    return refusal(anthropicRefusal(body), (message) => ({
      type: 'error',
      error: { type: 'invalid_request_error', message },
    }))
  if (pathname.endsWith('/responses')) return refusal(responsesRefusal(body), openaiError)
  if (pathname.endsWith('/chat/completions'))
    return refusal(
      chatRefusal(body, chatServer(text(body['model']), text(headers['user-agent']))),
      openaiError,
    )
  if (/:(streamGenerateContent|generateContent)$/.test(pathname))
    return refusal(googleRefusal(body), (message) => ({
      error: { code: 400, message, status: 'INVALID_ARGUMENT' },
    }))
  return null
}

function chatServer(model: string, client: string): ChatServer {
  if (/mistral|codestral|devstral|ministral|magistral/i.test(model)) return 'mistral'
  return client.includes('ai-sdk/openai/') ? 'openai' : 'any'
}

function openaiError(message: string): object {
  return { error: { message, type: 'invalid_request_error', param: null, code: null } }
}

function refusal(reason: string | null, toBody: (message: string) => object): ScriptedReply | null {
  if (reason === null) return null
  const steps = [{ send: JSON.stringify(toBody(reason)) }]
  return { status: 400, headers: { 'content-type': 'application/json' }, steps }
}
