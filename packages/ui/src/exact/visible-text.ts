/** Controls, and characters without a shape, of a direction or a variant. */
const SHAPELESS = String.raw`[\p{C}\p{DI}\p{Zl}\p{Zp}\u2800\uFFFC\u{1D159}]`
/** Combining marks beyond the fourth on one character: a pile of them covers the lines around it. */
const PILED = String.raw`(?<=\p{M}{4})\p{M}`

/** What could make a text read as another one; new lines, tabs and spaces are none of it, other blanks are. */
export const UNSEEN = String.raw`(?![\n\t])${SHAPELESS}|(?! )\p{Zs}|${PILED}`

const EMOJI = String.raw`(?<=\p{ExtPict})\uFE0F|(?<=[\d#*])\uFE0F(?=\u20E3)|(?<=[\p{ExtPict}\p{EMod}\uFE0F])\u200D(?=\p{ExtPict})`
/** A letter of a script that writes with joiners. */
const JOINED = String.raw`(?!\p{scx=Latn}|\p{scx=Grek}|\p{scx=Cyrl})[\p{L}\p{M}]`
const JOINER = `(?<=${JOINED})[\u200C\u200D](?=${JOINED})`

const IN_ACTS = new RegExp(UNSEEN, 'gu')
const IN_WORDS = new RegExp(`(${EMOJI}|${JOINER})|(?![\\n\\t])${SHAPELESS}|${PILED}`, 'gu')

/** The code of a character, such as `\u{202e}`. */
function codeOf(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`
}

/** The text of an act with every character that is not seen written as its code: what a person approves reads as it is. */
export function visibleText(text: string): string {
  return text.replace(IN_ACTS, codeOf)
}

/** The same for a title, a name or an answer, where what an emoji or a script needs stays as it is. */
export function visibleWords(text: string): string {
  return text.replace(IN_WORDS, (found, kept: string | undefined) => kept ?? codeOf(found))
}
