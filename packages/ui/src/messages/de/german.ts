import { createFormat } from '../../format/format.ts'
import { createPlural } from '../plural.ts'

/** A count with its noun, in German. */
export const plural = createPlural('de')
export const format = createFormat('de')

/** Words in German quotation marks; those that they hold themselves become single ones. */
export function quoted(text: string): string {
  const inner = text
    .replaceAll(/"([^"]*)"/g, '‚$1‘')
    .replaceAll(/[“„]/g, '‚')
    .replaceAll('”', '‘')
  return `„${inner}“`
}

export const messages = (count: number) => plural(count, 'Nachricht', 'Nachrichten')
/** In the dative: after „mit“, „von“. */
export const files = (count: number) => plural(count, 'Datei', 'Dateien')
