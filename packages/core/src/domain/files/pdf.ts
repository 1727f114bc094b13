/** What one PDF may take: bytes of it, seconds and megabytes to read it, and pages and characters of its text. */
export const PDF_LIMITS = {
  bytes: 10 * 1024 * 1024,
  seconds: 15,
  megabytes: 400,
  pages: 5_000,
  characters: 4_000_000,
} as const

/** Why a PDF gives no text: it needs a password, it is no whole PDF, or it is beyond `PDF_LIMITS`. */
export type PdfFault = 'encrypted' | 'damaged' | 'costly'

export type PdfContent =
  /** The text of each page from the first on, null for one that cannot be read. Beyond `PDF_LIMITS` there are fewer than `total`. */
  { type: 'pages'; pages: readonly (string | null)[]; total: number } | { type: 'fault'; fault: PdfFault }

/** A PDF as text with a heading for each page, or why it cannot be had. */
export type PdfText = { type: 'text'; text: string; isWhole: boolean } | { type: 'refused'; reason: string }

/** `name` is what a reader calls the PDF: its path or address. */
export function pdfText(name: string, content: PdfContent): PdfText {
  if (content.type === 'fault') return { type: 'refused', reason: `${name} ${FAULTS[content.fault]}` }
  const { pages, total } = content
  const isWhole = pages.length === total
  if (isWhole && pages.every((page) => page === ''))
    return {
      type: 'text',
      text: `${name} is a PDF of ${counted(total)} without text that can be read: it may be all pictures. A person can attach it to a message.`,
      isWhole,
    }
  const shown = pages.map(
    (page, index) => `[Page ${index + 1} of ${total}]\n${page ?? '(This page cannot be read.)'}`,
  )
  const { seconds, megabytes, characters } = PDF_LIMITS
  const rest = `[Only ${counted(pages.length)} of ${total}: all of it takes more than ${seconds} s, ${megabytes} MB or ${characters} characters]`
  return { type: 'text', text: [...shown, ...(isWhole ? [] : [rest])].join('\n\n'), isWhole }
}

const FAULTS: Record<PdfFault, string> = {
  encrypted: 'is a PDF that opens with a password only.',
  damaged: 'begins like a PDF, but the rest of it is damaged or missing.',
  costly: `is a PDF that takes more than ${PDF_LIMITS.seconds} s or ${PDF_LIMITS.megabytes} MB to read.`,
}

function counted(pages: number): string {
  return pages === 1 ? '1 page' : `${pages} pages`
}
