import { shortenMarks } from '../markdown/shorten-marks.ts'

/** Combining marks beyond what one character keeps, from which a paste is no longer put into a text area. */
const MOST_STACKED = 1_000

/**
 * The files of a paste. Text with thousands of combining marks on one character is one as well: a browser takes minutes to
 * shape it in a text area, and as a file it stays whole.
 */
export function pastedFiles(data: DataTransfer): File[] {
  if (data.files.length > 0) return [...data.files]
  const text = data.getData('text/plain')
  if (text.length - shortenMarks(text).length <= MOST_STACKED) return []
  return [new File([text], 'pasted.txt', { type: 'text/plain' })]
}
