import { isObject } from '@palimpsest/core/domain'

/** The text of a stored text part; none when it cannot be read. */
export function textOf(dataJson: string): string {
  try {
    const part: unknown = JSON.parse(dataJson)
    return isObject(part) && typeof part['text'] === 'string' ? part['text'] : ''
  } catch {
    return ''
  }
}
