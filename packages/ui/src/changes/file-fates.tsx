import { FILE_CHOICES, type FileChoice, type FileFate } from '@palimpsest/core/domain'
import { useId } from 'react'
import { ExactPieces } from '../exact/exact-lines.tsx'
import { exactPieces } from '../exact/exact-pieces.ts'
import { visibleText } from '../exact/visible-text.ts'
import type { ChangesWords } from '../messages/en-changes.ts'
import { cx } from '../primitives/cx.ts'

export type FileFatesProps = {
  words: ChangesWords
  fates: readonly FileFate[]
  /** What a person has chosen by path; the others stay. */
  choices: ReadonlyMap<string, FileChoice>
  onChoose: (path: string, choice: FileChoice) => void
}

/** What an operation does with each file, before it happens; about those that somebody else has changed a person decides. */
export function FileFates({ words, fates, choices, onChoose }: FileFatesProps) {
  return (
    <ul aria-label={words.fatesOf(fates.length)} className="max-h-60 space-y-0.5 overflow-y-auto text-sm">
      {inOrder(fates).map((fate) => (
        <li key={fate.path} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-0.5">
          <span className="exact min-w-0 grow font-code text-xs wrap-anywhere">
            <ExactPath path={fate.path} />
          </span>
          {isOpen(fate) ? (
            <ChoiceButtons
              words={words}
              path={fate.path}
              value={choices.get(fate.path) ?? 'keep'}
              onChoose={(choice) => onChoose(fate.path, choice)}
            />
          ) : (
            <span className={cx('text-xs', fate.fate === 'not-kept' ? 'text-caution' : 'text-muted')}>
              {words.fates[fate.fate]}
              {fate.fate === 'not-kept' && `: ${words.reasons[fate.reason]}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

/** What a person decides about first, then what is not kept. */
function inOrder(fates: readonly FileFate[]): FileFate[] {
  const rank = (fate: FileFate) => (isOpen(fate) ? 0 : fate.fate === 'not-kept' ? 1 : 2)
  return fates.toSorted((a, b) => rank(a) - rank(b))
}

/** Whether a person may choose: a chosen one can be chosen otherwise. */
function isOpen({ fate }: FileFate): boolean {
  return fate === 'conflict' || fate === 'kept' || fate === 'beside'
}

type ChoiceButtonsProps = {
  words: ChangesWords
  path: string
  value: FileChoice
  onChoose: (choice: FileChoice) => void
}

/** Keep, restore, or both, for one file that somebody else has changed. */
function ChoiceButtons({ words, path, value, onChoose }: ChoiceButtonsProps) {
  const name = useId()
  return (
    <fieldset className="flex shrink-0 gap-0.5 rounded-md bg-wash p-0.5 text-xs">
      <legend className="sr-only">{words.choice(visibleText(path))}</legend>
      {FILE_CHOICES.map((choice) => (
        <label
          key={choice}
          className="inline-flex cursor-pointer items-center rounded-sm px-2 py-0.5 text-muted transition hover:text-ink has-checked:bg-segment has-checked:text-ink has-checked:shadow-raised has-disabled:opacity-45 has-focus-visible:outline-2 has-focus-visible:outline-focus coarse:min-h-11"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={value === choice}
            onChange={() => onChoose(choice)}
          />
          {words.choices[choice]}
        </label>
      ))}
    </fieldset>
  )
}

/** A path with the codes of characters that are not seen. */
export function ExactPath({ path }: { path: string }) {
  return <ExactPieces pieces={exactPieces(path)} />
}
