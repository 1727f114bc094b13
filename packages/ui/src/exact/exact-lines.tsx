import { useMessages } from '../messages/messages-context.tsx'
import { Kbd } from '../primitives/kbd.tsx'
import type { ExactPiece } from './exact-pieces.ts'
import type { ShownLine } from './shown-lines.ts'

/** Opens all that is folded. */
export type Open = () => void

/** Lines as a card shows them; a line that is broken in several rows is inset from the second on. */
export function ExactLines({ lines, onOpen }: { lines: readonly ShownLine[]; onOpen: Open }) {
  return lines.map((line, at) =>
    line.kind === 'folded' ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and a text never changes
      <FoldedLines key={at} count={line.count} onOpen={onOpen} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines may be equal, and a text never changes
      <span key={at} className="exact-line">
        <ExactLine line={line} onOpen={onOpen} />
        {at < lines.length - 1 && '\n'}
      </span>
    ),
  )
}

/** One line; a folded middle is a button that opens it. */
export function ExactLine({ line, onOpen }: { line: ShownLine; onOpen: Open }) {
  const { exact } = useMessages()
  switch (line.kind) {
    case 'line':
      return <ExactPieces pieces={line.pieces} />
    case 'blank':
      return <span className="exact-name">{exact.blankLines(line.count)}</span>
    case 'rest':
      return line.text
    case 'long':
      return (
        <>
          <ExactPieces pieces={line.head} />
          <button type="button" className="exact-fold exact-fold-inline" onClick={onOpen}>
            {exact.moreCharacters(line.count)}
          </button>
          <ExactPieces pieces={line.tail} />
        </>
      )
    case 'folded':
      return <FoldedLines count={line.count} onOpen={onOpen} />
  }
}

/** The place of folded lines: a button that opens all of them. */
export function FoldedLines({ count, onOpen }: { count: number; onOpen: Open }) {
  const { exact } = useMessages()
  return <FoldButton label={exact.moreLines(count)} onOpen={onOpen} />
}

/** A button as wide as the card that opens all that is folded, as the key 0 does. */
export function FoldButton({ label, onOpen }: { label: string; onOpen: Open }) {
  return (
    <button type="button" className="exact-fold" onClick={onOpen}>
      {label}
      <span aria-hidden className="coarse:hidden">
        <Kbd keys="0" />
      </span>
    </button>
  )
}

export function ExactPieces({ pieces }: { pieces: readonly ExactPiece[] }) {
  return pieces.map((piece, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces may be equal, and a text never changes
    piece.kind === 'text' ? piece.text : <Special key={at} piece={piece} />,
  )
}

function Special({ piece }: { piece: Exclude<ExactPiece, { kind: 'text' }> }) {
  const { exact } = useMessages()
  switch (piece.kind) {
    case 'rtl':
      return <bdi>{piece.text}</bdi>
    case 'code':
      return <span className="exact-code">{piece.text}</span>
    case 'blanks':
      return <span className="exact-name">{exact[piece.of](piece.count)}</span>
  }
}
