import { Worker } from 'node:worker_threads'

/** Milliseconds and memory that one page may take. */
const CONVERT_MS = 5_000
const MEMORY_MB = 192

export type PageWork = { html: string; as: 'markdown' | 'text' }

/** A page as Markdown. One that takes too long, too much memory or is nested too deep becomes plain text. */
export async function toMarkdown(html: string): Promise<string> {
  return (await inWorker({ html, as: 'markdown' })) ?? (await toPlainText(html))
}

export async function toPlainText(html: string): Promise<string> {
  return (await inWorker({ html, as: 'text' })) ?? ''
}

/** Whatever a page costs, the server goes on meanwhile; null for one beyond the bounds. */
function inWorker(work: PageWork): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./html-worker.ts', import.meta.url), {
      workerData: work,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
      stdout: true,
      stderr: true,
      env: {},
    })
    const timer = setTimeout(() => settle(null), CONVERT_MS)
    function settle(markdown: string | null): void {
      clearTimeout(timer)
      resolve(markdown)
      void worker.terminate()
    }
    worker.on('message', (markdown: string) => settle(markdown))
    worker.on('error', () => settle(null))
    worker.on('exit', () => settle(null))
  })
}
