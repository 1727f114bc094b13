import { buffer } from 'node:stream/consumers'
import type { PdfLine } from './pdf-reader.ts'

// A process of its own, which `run-extraction.ts` starts: a PDF on its input becomes lines of JSON on its output.

const [library = '', maxPages, maxCharacters] = process.argv.slice(2)
// By its address, since finding a package by name reads folders that this process may not read.
const { getDocumentProxy }: typeof import('unpdf') = await import(library)

type Document = Awaited<ReturnType<typeof getDocumentProxy>>

function say(line: PdfLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

async function open(bytes: Uint8Array): Promise<Document | null> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0 })
  } catch (error) {
    say({ fault: error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'damaged' })
    return null
  }
}

/** The text of a page in the order of its content, without control characters; null when the page cannot be read. */
async function textOf(document: Document, number: number): Promise<string | null> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    page.cleanup()
    const text = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join('')
    return text
      .replace(/(?![\n\t])\p{Cc}/gu, '')
      .toWellFormed()
      .trimEnd()
  } catch {
    return null
  }
}

const document = await open(new Uint8Array(await buffer(process.stdin)))
if (document !== null) {
  const total = document.numPages
  say({ total })
  let left = Number(maxCharacters)
  for (let number = 1; number <= Math.min(total, Number(maxPages)) && left > 0; number += 1) {
    const page = await textOf(document, number)
    left -= page?.length ?? 0
    if (left >= 0) say({ page })
  }
}
