/** The texts of a page's code blocks in one language, in order. */
export function codeBlocks(page: string, language: string): string[] {
  return Array.from(page.matchAll(/^```(\w+)\n(.*?)^```$/gms))
    .filter(([, name]) => name === language)
    .map(([, , text]) => (text ?? '').trim())
}

/** The rows of every table of a page whose header has these cells, as text. */
export function tableRows(page: string, header: readonly string[]): string[][] {
  return page
    .split(/\n(?!\|)/)
    .map((block) => block.split('\n').filter((line) => line.startsWith('|')))
    .map(([first, _rule, ...rows]) => ({ head: cells(first ?? ''), rows: rows.map(cells) }))
    .filter(({ head }) => header.length === head.length && header.every((name, at) => head[at] === name))
    .flatMap(({ rows }) => rows)
}

/** The text between backticks. */
export function codeIn(text: string): string[] {
  return Array.from(text.matchAll(/`([^`\n]+)`/g), ([, code]) => code ?? '')
}

function cells(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}
