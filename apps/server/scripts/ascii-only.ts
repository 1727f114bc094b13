import type { Plugin } from 'rolldown'

/**
 * Writes other characters than those of ASCII as escapes. V8 keeps a source with a single one above U+00FF, and compiles it, at two
 * bytes a character. No name of ours or of a package has one: only texts, patterns and comments.
 */
export function asciiOnly(): Plugin {
  return { name: 'ascii-only', renderChunk: escapeCharacters }
}

/** Code units, so that a character beyond U+FFFF becomes a pair of escapes. */
export function escapeCharacters(code: string): string {
  return code.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at U+0000
    /[^\u0000-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
