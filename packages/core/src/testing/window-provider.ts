import type { ProviderRequest } from './scripted-provider.ts'
import { type ReplyScript, reply, type ScriptedReply } from './scripted-provider-reply.ts'

/** Tokens of a request as a server counts them: all that it is sent, a twentieth more than a token for four bytes. */
export function requestTokens({ body }: Pick<ProviderRequest, 'body'>): number {
  const sent = JSON.stringify([body['messages'], body['tools'] ?? []])
  return Math.ceil((new TextEncoder().encode(sent).length / 4) * 1.05)
}

/** What a server does with a request that is larger than its window: llama.cpp refuses it, others in other words, Ollama cuts its head. */
export type Overflow = 'named' | 'unnamed' | 'cuts'

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
      const tokens = requestTokens(request)
      if (tokens > limit) {
        over += 1
        if (overflow !== 'cuts') return refusal(tokens, limit, overflow === 'named')
      }
      const text = typeof script.text === 'string' ? script.text : ''
      const written = Math.ceil((text.length + JSON.stringify(script.toolCalls ?? '').length) / 4)
      const usage = { prompt_tokens: Math.min(tokens, limit), completion_tokens: written }
      return reply({ usage, ...script })
    },
  }
}

function refusal(tokens: number, limit: number, named: boolean): ScriptedReply {
  const facts = named ? { n_prompt_tokens: tokens, n_ctx: limit } : {}
  const error = {
    code: 400,
    message: 'the request exceeds the available context size. try increasing the context size',
    type: 'exceed_context_size_error',
    ...facts,
  }
  const headers = { 'content-type': 'application/json' }
  return { status: 400, headers, steps: [{ send: JSON.stringify({ error }) }] }
}
