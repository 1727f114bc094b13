import type { FileFate } from '@palimpsest/core/domain'
import { useCallback, useRef } from 'react'
import { useApp } from '../stores/app-context.tsx'
import { changesWords as words } from '../words/en-changes.ts'

/** The result of an operation on files, or what is still pending of one that was tried again. */
type FilesChanged = { operationId: string; fates: readonly FileFate[] } | { pending: unknown }

/** Takes changes of files back, or decides about them, and says what became of each. A double press counts once. */
export function useFileChanges(
  sessionId: string,
): (name: string, call: () => Promise<FilesChanged>) => Promise<void> {
  const { client, toasts } = useApp()
  const underway = useRef(new Set<string>())
  return useCallback(
    async (name, call) => {
      if (underway.current.has(name)) return
      underway.current.add(name)
      await toasts.guard(call().then(report)).finally(() => underway.current.delete(name))

      function report(done: FilesChanged): void {
        if (!('fates' in done)) return
        const { operationId, fates } = done
        const count = (...which: FileFate['fate'][]) =>
          fates.filter(({ fate }) => which.includes(fate)).length
        const stayed = count('conflict')
        const undo = () => toasts.guard(client().session.unrewind.mutate({ sessionId, operationId }))
        const restored = words.tookBack(count('restored', 'beside'))
        toasts.add({
          message: stayed > 0 ? `${restored} ${words.stayed(stayed)}` : restored,
          action: { label: words.undo, onAction: () => void undo() },
        })
      }
    },
    [client, toasts, sessionId],
  )
}
