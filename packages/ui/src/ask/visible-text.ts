/** Controls and characters without a shape, which could make a text read as another; new lines and tabs are none. */
const UNSEEN = /[^\P{C}\n\t]/gu

/** The text with every character that is not seen written as its code: what a person approves reads as it is. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
}
