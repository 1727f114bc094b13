import type { PdfContent } from '../domain/files/pdf.ts'

/** Reads the text of PDFs, whatever they hold: within `PDF_LIMITS`, and without running anything in them. */
export interface PdfReader {
  /** An abort rejects with its reason and ends the work. */
  read(bytes: Uint8Array, signal: AbortSignal): Promise<PdfContent>
}
