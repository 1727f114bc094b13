import { useMemo } from 'react'
import { useFormat, useMessages } from '../messages/messages-context.tsx'
import { type DiffPiece, wordDiff, wordsOnlyHere } from './word-diff.ts'

export type ReplyDiffProps = {
  /** The text of this side's reply, and of the one that it is compared with. */
  own: string
  other: string
}

/** A reply as text, with the words marked that the other one lacks. */
export function ReplyDiff({ own, other }: ReplyDiffProps) {
  const { compare } = useMessages().history
  const format = useFormat()
  const pieces = useMemo(() => ownPieces(own, other), [own, other])
  if (pieces === null) return <p className="py-2 text-muted text-sm">{compare.tooDifferent}</p>
  const count = wordsOnlyHere(pieces)
  return (
    <>
      <p className="pt-2 text-muted text-xs tabular-nums">{compare.onlyHere(count, format.count(count))}</p>
      <div dir="auto" className="prose whitespace-pre-wrap wrap-anywhere py-2">
        {pieces.map(({ text, only }, at) =>
          only ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
            <mark key={at} className="only-here">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </div>
    </>
  )
}

/**
 * Both sides compare the two replies in one order: else the word that one side marks, of two that changed places, could be
 * the one that the other side does not.
 */
function ownPieces(own: string, other: string): readonly DiffPiece[] | null {
  if (own <= other) return wordDiff(own, other)?.left ?? null
  return wordDiff(other, own)?.right ?? null
}
