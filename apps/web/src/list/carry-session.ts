import type { App } from '../stores/app.ts'

/** Has the browser save a session's rows in a file of this name, which it writes as they come. */
export function exportSession(sessionId: string, title: string): void {
  const link = document.createElement('a')
  link.href = `/api/v1/sessions/${encodeURIComponent(sessionId)}/export?${new URLSearchParams({ name: `${title}.jsonl` })}`
  link.download = ''
  link.click()
}

/** Lets a person choose such a file, and goes to the session that it becomes. */
export async function importSession({ router, toasts }: Pick<App, 'router' | 'toasts'>): Promise<void> {
  const file = await chooseFile('.jsonl,.json')
  if (file === null) return
  await toasts.guard(
    upload(file).then(({ id }) => {
      router.push({ sessionId: id, anchor: null })
    }),
  )
}

/** How the route fails: as a call does. */
class ImportError extends Error {
  readonly data: unknown

  constructor({ message, data }: { message: string; data: unknown }) {
    super(message)
    this.data = data
  }
}

type Answer = { id: string; error?: never } | { error: { message: string; data: unknown } }

/** Sends a file as it lies on the disk. */
async function upload(file: File): Promise<{ id: string }> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const response = await fetch('/api/v1/sessions/import', { method: 'POST', headers, body: file })
  // The server answers with the session or with its error.
  const answer = (await response.json()) as Answer
  if (answer.error !== undefined) throw new ImportError(answer.error)
  return answer
}

/** The file that a person chooses among those of these types; null for none. */
export function chooseFile(accept: string): Promise<File | null> {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = accept
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(input.files?.[0] ?? null))
    input.addEventListener('cancel', () => resolve(null))
    input.click()
  })
}
