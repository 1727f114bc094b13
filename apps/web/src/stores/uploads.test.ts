import { blobUrl } from '@palimpsest/core/domain'
import { lazyModule } from '@palimpsest/ui'
import { expect, test, vi } from 'vitest'
import type { UploadReport } from '../state/upload-file.ts'
import type { DraftFile } from './drafts.ts'
import { createUploads, type UploadTransport } from './uploads.ts'

const URL_OF = blobUrl('a'.repeat(64))
const bytes = new Blob(['x'.repeat(70_000)])
const file: DraftFile = { id: 'f', name: 'a.txt', mediaType: 'text/plain', size: 70_000, url: '', bytes }

function openLab(isStored = true) {
  const uploads: { report: UploadReport; signal: AbortSignal; end: PromiseWithResolvers<string> }[] = []
  const transport: UploadTransport = {
    uploadFile(_, report, signal) {
      const end = Promise.withResolvers<string>()
      uploads.push({ report, signal, end })
      return end.promise
    },
    isStored: vi.fn(() => Promise.resolve(isStored)),
  }
  return { uploads, transport, manager: createUploads(lazyModule(() => Promise.resolve(transport))) }
}

test('UI-33 an upload shows how far it is, that it waits, and then its address', async () => {
  const { uploads, manager } = openLab()
  const onUrl = vi.fn()
  for (let time = 0; time < 3; time++) manager.ensure(file, onUrl)
  await vi.waitFor(() => expect(uploads).toHaveLength(1))
  const state = () => manager.states.get().get('f')
  expect(state()).toEqual({ type: 'uploading', sent: 0 })
  uploads[0]?.report.onProgress(0.5)
  expect(state()).toEqual({ type: 'uploading', sent: 0.5 })
  uploads[0]?.report.onWaiting()
  expect(state()).toEqual({ type: 'waiting', sent: 0.5 })
  uploads[0]?.end.resolve(URL_OF)
  await vi.waitFor(() => expect(onUrl.mock.calls).toEqual([[URL_OF]]))
  expect(state()).toBeUndefined()
})

test('UI-33 an upload that is refused says why and is not repeated; one that is cancelled ends', async () => {
  const { uploads, manager } = openLab()
  manager.ensure(file, vi.fn())
  await vi.waitFor(() => expect(uploads).toHaveLength(1))
  uploads[0]?.end.reject(new Error('The content of this file is not text/plain.'))
  await vi.waitFor(() =>
    expect(manager.states.get().get('f')).toEqual({
      type: 'failed',
      reason: 'The content of this file is not text/plain.',
    }),
  )
  manager.ensure(file, vi.fn())
  expect(uploads).toHaveLength(1)
  manager.cancel('f')
  expect(manager.states.get().size).toBe(0)
  manager.ensure({ ...file, id: 'g' }, vi.fn())
  await vi.waitFor(() => expect(uploads).toHaveLength(2))
  manager.cancel('g')
  expect(uploads[1]?.signal.aborted).toBe(true)
})

test('UI-33 a file that was taken out and comes back at once is uploaded again, and the former upload changes nothing', async () => {
  const { uploads, manager } = openLab()
  const [former, now] = [vi.fn(), vi.fn()]
  manager.ensure(file, former)
  await vi.waitFor(() => expect(uploads).toHaveLength(1))
  manager.cancel('f')
  manager.ensure(file, now)
  await vi.waitFor(() => expect(uploads).toHaveLength(2))
  uploads[0]?.report.onProgress(0.9)
  uploads[0]?.report.onWaiting()
  uploads[0]?.end.resolve(URL_OF)
  await Promise.resolve()
  expect(manager.states.get().get('f')).toEqual({ type: 'uploading', sent: 0 })
  manager.cancel('f')
  expect(uploads[1]?.signal.aborted).toBe(true)
  manager.ensure(file, now)
  await vi.waitFor(() => expect(uploads).toHaveLength(3))
  uploads[2]?.end.resolve(URL_OF)
  await vi.waitFor(() => expect(now.mock.calls).toEqual([[URL_OF]]))
  expect(former).not.toHaveBeenCalled()
})

test('UI-33 a kept file whose upload the server no longer has is uploaded again', async () => {
  const kept = { ...file, url: URL_OF }
  const there = openLab()
  const onUrl = vi.fn()
  there.manager.ensure(kept, onUrl)
  there.manager.ensure(kept, onUrl)
  await vi.waitFor(() => expect(there.transport.isStored).toHaveBeenCalledOnce())
  expect(onUrl).not.toHaveBeenCalled()
  const gone = openLab(false)
  gone.manager.ensure(kept, onUrl)
  await vi.waitFor(() => expect(onUrl.mock.calls).toEqual([['']]))
})

test('UI-33 a small file, and one of a message that is edited, are not uploaded', () => {
  const { uploads, manager } = openLab()
  const { bytes: _, ...bare } = file
  manager.ensure({ ...bare, url: 'data:,' }, vi.fn())
  manager.ensure({ ...bare, url: URL_OF }, vi.fn())
  expect(uploads).toEqual([])
})
