import type { ErrorCode } from '@palimpsest/core/domain'
import { appRouter } from '../routers/app-router.ts'
import { rawJson } from './attack/hostile-values.ts'

export type ProcedureType = 'query' | 'mutation' | 'subscription'

// tRPC types its procedures nested, as the routers are, and keeps them flat.
const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: ProcedureType } }>

/** Every procedure of the API with its kind. */
export const PROCEDURES = Object.entries(procedures).map(([path, { _def }]) => ({ path, type: _def.type }))

export type CallFailure = {
  message: string
  data: { httpStatus: number; appCode: ErrorCode; field?: string; stack?: unknown }
}

/** The answer to a plain HTTP call; a subscription is read to its end. */
export async function callProcedure(
  url: string,
  { path, type }: { path: string; type: ProcedureType },
  input: unknown,
  signal?: AbortSignal,
): Promise<{ status: number; failure: CallFailure | null; body: string }> {
  const json = rawJson(input)
  const query = json === undefined || type === 'mutation' ? '' : `?input=${encodeURIComponent(json)}`
  const response = await fetch(`${url}/trpc/${path}${query}`, {
    headers: { 'content-type': 'application/json' },
    ...(signal && { signal }),
    ...(type === 'mutation' && { method: 'POST', body: json ?? '' }),
  })
  const body = await response.text()
  const failure = type === 'subscription' && response.ok ? lastEvent(body) : JSON.parse(body).error
  return { status: failure?.data.httpStatus ?? response.status, failure: failure ?? null, body }
}

/** The error that an event stream ended with. */
function lastEvent(body: string): CallFailure | null {
  const data = /event: serialized-error\ndata: (.*)\n/.exec(body)?.[1]
  return data === undefined ? null : JSON.parse(data)
}
