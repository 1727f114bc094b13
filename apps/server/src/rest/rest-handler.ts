import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Core } from '@palimpsest/core'
import { BLOBS_PATH, blobHash } from '@palimpsest/core/domain'
import { TRPCError } from '@trpc/server'
import { ARCHIVE_PATH, IMPORT_PATH, pathOf } from '../security/guard.ts'
import { downloadBlob } from './download-blob.ts'
import { exportArchive } from './export-archive.ts'
import { exportSession } from './export-session.ts'
import { importArchive } from './import-archive.ts'
import { importSession } from './import-session.ts'
import { uploadBlob } from './upload-blob.ts'

export type RestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

const EXPORT_PATH = /^\/api\/v1\/sessions\/([^/]+)\/export$/

/** Serves `/api/v1/`: transfers that are too large for a call are streamed. */
export function createRestHandler({
  sessions,
  blobs,
  archive,
}: Pick<Core, 'sessions' | 'blobs' | 'archive'>): RestHandler {
  return async (request, response) => {
    const path = pathOf(request)
    if (path === IMPORT_PATH) {
      checkMethod(request, 'POST')
      return await importSession(sessions, request, response)
    }
    if (path === ARCHIVE_PATH) {
      checkMethod(request, 'GET', 'POST')
      if (request.method === 'POST') return await importArchive(archive, request, response)
      return await exportArchive(archive, response)
    }
    if (path === BLOBS_PATH) {
      checkMethod(request, 'POST')
      return await uploadBlob(blobs, request, response)
    }
    const hash = blobHash(path)
    if (hash !== null) {
      checkMethod(request, 'GET', 'HEAD')
      return await downloadBlob(blobs, hash, request, response)
    }
    const [, sessionId] = EXPORT_PATH.exec(path) ?? []
    if (sessionId === undefined) throw new TRPCError({ code: 'NOT_FOUND' })
    checkMethod(request, 'GET')
    await exportSession(sessions, sessionId, request, response)
  }
}

function checkMethod({ method = '' }: IncomingMessage, ...wanted: string[]): void {
  if (!wanted.includes(method)) throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED' })
}
