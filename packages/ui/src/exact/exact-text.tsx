import { ExactPieces } from './exact-lines.tsx'
import { exactPieces } from './exact-pieces.ts'

/** Characters of a line that is cut at its edge in any case. */
const SHOWN_CHARACTERS = 500

/** The text of an act in one line: what is not seen is spelled, and new lines are marks. */
export function ExactText({ text }: { text: string }) {
  const lines = text.slice(0, SHOWN_CHARACTERS).split('\n')
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and a text never changes
    <span key={at}>
      <ExactPieces pieces={exactPieces(line)} />
      {at < lines.length - 1 && <span className="exact-name">↵</span>}
    </span>
  ))
}
