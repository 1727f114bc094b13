import { PDF_LIMITS, type PdfContent, untilAborted } from '@palimpsest/core/domain'
import type { PdfReader } from '@palimpsest/core/ports'
import pLimit from 'p-limit'
import { z } from 'zod'
import { type ExtractionBounds, runExtraction } from './run-extraction.ts'

/** PDFs that are read at once; others wait. */
const AT_ONCE = 2

const pdfLine = z.union([
  z.strictObject({ fault: z.enum(['encrypted', 'damaged']) }),
  z.strictObject({ total: z.int().min(0) }),
  z.strictObject({ page: z.string().nullable() }),
])
/** What the process says: why there is no text, or how many pages there are and then each of them. */
export type PdfLine = z.infer<typeof pdfLine>

/** Reads each PDF in a process of its own, which ends with the call. */
export function createPdfReader(bounds: ExtractionBounds = PDF_LIMITS): PdfReader {
  const limited = pLimit(AT_ONCE)
  return {
    async read(bytes, signal) {
      const lines = await untilAborted(
        limited(() => runExtraction(bytes, signal, bounds)),
        signal,
      )
      return toContent(lines.map((line) => pdfLine.parse(JSON.parse(line))))
    },
  }
}

function toContent([first, ...rest]: readonly PdfLine[]): PdfContent {
  if (first !== undefined && 'fault' in first) return { type: 'fault', fault: first.fault }
  const pages = rest.flatMap((line) => ('page' in line ? [line.page] : []))
  if (first === undefined || !('total' in first) || (pages.length === 0 && first.total > 0))
    return { type: 'fault', fault: 'costly' }
  const isDamaged = pages.length > 0 && pages.every((page) => page === null)
  return isDamaged ? { type: 'fault', fault: 'damaged' } : { type: 'pages', pages, total: first.total }
}
