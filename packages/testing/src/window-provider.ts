import type { ProviderRequest } from './scripted-provider.ts'
import { type ReplyScript, reply, type ScriptedReply } from './scripted-provider-reply.ts'

/** Tokens of a request as a server counts them: all that it is sent, a twentieth more than a token for four bytes. */
export function requestTokens({ body }: Pick<ProviderRequest, 'body'>): number {
  const sent = JSON.stringify([body['messages'], body['tools'] ?? []])
  return Math.ceil((new TextEncoder().encode(sent).length / 4) * 1.05)
}

/** Bytes of a token as vLLM counts here. */
const FEW_BYTES = 3.3

/**
 * What a server does with a request that is larger than its window: llama.cpp refuses it, others in other words, Ollama cuts its head,
 * and vLLM counts the reply that is requested as well.
 */
export type Overflow = 'named' | 'unnamed' | 'cuts' | 'with-reply'

export type WindowServer = {
  /** Requests that were refused or cut. */
  readonly over: number
  answer(request: ProviderRequest, script: ReplyScript): ScriptedReply
}

/** A server with a window of `limit` tokens. */
export function windowServer(limit: number, overflow: Overflow): WindowServer {
  let over = 0
  return {
    get over() {
      return over
    },
    answer(request, script) {
      if (overflow === 'with-reply') {
        const refusal = refusedWithReply(request, limit)
        if (refusal !== null) over += 1
        return refusal ?? reply({ usage: usageOf(withFewBytes(request), script), ...script })
      }
      const tokens = requestTokens(request)
      if (tokens > limit) {
        over += 1
        if (overflow !== 'cuts') return refusal(tokens, limit, overflow === 'named')
      }
      const usage = usageOf(Math.min(tokens, limit), script)
      return reply({ usage, ...script })
    },
  }
}

function usageOf(tokens: number, script: ReplyScript) {
  const text = typeof script.text === 'string' ? script.text : ''
  const written = Math.ceil((text.length + JSON.stringify(script.toolCalls ?? '').length) / 4)
  return { prompt_tokens: tokens, completion_tokens: written }
}

function withFewBytes(request: ProviderRequest): number {
  return Math.ceil((requestTokens(request) * 4) / 1.05 / FEW_BYTES)
}

function refusedWithReply(request: ProviderRequest, limit: number): ScriptedReply | null {
  const tokens = withFewBytes(request)
  const reserved = Number(request.body['max_tokens'] ?? 0)
  if (tokens + reserved <= limit) return null
  const message = `This model's maximum context length is ${limit} tokens. However, you requested ${tokens + reserved} tokens (${tokens} in the messages, ${reserved} in the completion). Please reduce the length of the messages or completion.`
  return refused({ object: 'error', message, type: 'BadRequestError', code: 400 })
}

function refused(error: object): ScriptedReply {
  const headers = { 'content-type': 'application/json' }
  return { status: 400, headers, steps: [{ send: JSON.stringify({ error }) }] }
}

function refusal(tokens: number, limit: number, named: boolean): ScriptedReply {
  const facts = named ? { n_prompt_tokens: tokens, n_ctx: limit } : {}
  const error = {
    code: 400,
    message: 'the request exceeds the available context size. try increasing the context size',
    type: 'exceed_context_size_error',
    ...facts,
  }
  return refused(error)
}
