const SYLLABLES = ['ba', 'de', 'ki', 'lo', 'mu', 'na', 'pe', 'ri', 'so', 'tu', 'va', 'ze']

/** Distinct words; the first are the most frequent ones in texts. */
const VOCABULARY = SYLLABLES.flatMap((a) => SYLLABLES.flatMap((b) => SYLLABLES.map((c) => `${a}${b}${c}`)))

/** A word for each number in [0, 1), unevenly, as in real texts: one tenth of the words makes up half of a text. */
export function wordFor(share: number): string {
  return VOCABULARY[Math.floor(share ** 3.3 * VOCABULARY.length)] ?? 'word'
}

/** `count` words of a text, the same for the same number of the text. */
export function textOf(text: number, count: number): string {
  return Array.from({ length: count }, (_, word) => wordFor(fraction(text * 31.7 + word * 7.3))).join(' ')
}

/** Spreads numbers over [0, 1). */
function fraction(value: number): number {
  const scrambled = Math.sin(value) * 43_758.545_3
  return scrambled - Math.floor(scrambled)
}
