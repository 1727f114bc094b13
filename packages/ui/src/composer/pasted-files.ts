import { shortenMarks } from '../markdown/shorten-marks.ts'

/** Combining marks beyond what one character keeps, from which a paste is no longer put into a text area. */
const MOST_STACKED = 1_000
/** Characters from which a paste becomes a file. */
const MOST_PASTED = 10_000

/** The name of a long paste, which can be turned back into text. */
export const PASTED_TEXT = 'pasted.txt'
const PASTED_MARKS = 'pasted-marks.txt'

/**
 * The files of a paste. A text of more than 10,000 characters is one as well, and so is text with thousands of combining marks
 * on one character: a browser takes minutes to shape it in a text area, and as a file it stays whole.
 */
export function pastedFiles(data: DataTransfer): File[] {
  if (data.files.length > 0) return [...data.files]
  const text = data.getData('text/plain')
  if (text.length - shortenMarks(text).length > MOST_STACKED) return [textFile(text, PASTED_MARKS)]
  return text.length > MOST_PASTED ? [textFile(text, PASTED_TEXT)] : []
}

function textFile(text: string, name: string): File {
  return new File([text], name, { type: 'text/plain' })
}
