/** Words in quotation marks; those that they hold themselves become single ones. */
export function quoted(text: string): string {
  const inner = text
    .replaceAll(/"([^"]*)"/g, '‘$1’')
    .replaceAll('“', '‘')
    .replaceAll('”', '’')
  return `“${inner}”`
}
