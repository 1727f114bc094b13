import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SessionService } from '@palimpsest/core'
import { TRPCError } from '@trpc/server'
import { IMPORT_PATH, pathOf } from '../security/guard.ts'
import { exportSession } from './export-session.ts'
import { importSession } from './import-session.ts'

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const EXPORT_PATH = /^\/api\/v1\/sessions\/([^/]+)\/export$/

/** Serves `/api/v1/`: transfers that are too large for a call are streamed. */
export function createRestHandler({ sessions }: { sessions: SessionService }): RestHandler {
  return async (request, response) => {
    const path = pathOf(request)
    if (path === IMPORT_PATH) {
      checkMethod(request, 'POST')
      return await importSession(sessions, request, response)
    }
    const [, sessionId] = EXPORT_PATH.exec(path) ?? []
    if (sessionId === undefined) throw new TRPCError({ code: 'NOT_FOUND' })
    checkMethod(request, 'GET')
    await exportSession(sessions, sessionId, request, response)
  }
}

function checkMethod({ method }: IncomingMessage, wanted: string): void {
  if (method !== wanted) throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' })
}
