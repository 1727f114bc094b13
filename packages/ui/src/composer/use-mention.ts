import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type ListNavigation, useListNavigation } from '../primitives/use-list-navigation.ts'
import { insertMention, type Mention, mentionAt } from './mention.ts'

/** What `@` finds. */
export type Mentions = {
  /** Paths that fit what is typed after the `@`. */
  paths: readonly string[]
  /** Called with what is typed after an `@`; null while nothing is mentioned. */
  onQuery: (query: string | null) => void
}

const NONE: readonly string[] = []

/** The list of what an `@` before the caret finds. */
export function useMention(
  field: RefObject<HTMLTextAreaElement | null>,
  value: string,
  mentions: Mentions | undefined,
  onValueChange: (value: string) => void,
) {
  const [mention, setMention] = useState<Mention | null>(null)
  /** Where a person has left the list by Escape. */
  const left = useRef<number | null>(null)
  const caret = useRef<number | null>(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  /** Reads what is mentioned at the caret. */
  function look(text: string, at: number): void {
    const found = mentions === undefined ? null : mentionAt(text, at)
    if (found?.start !== left.current) left.current = null
    const next = left.current === null ? found : null
    if (next?.query === mention?.query && next?.start === mention?.start) return
    setMention(next)
    mentions?.onQuery(next?.query ?? null)
  }

  function close(): void {
    setMention(null)
    mentions?.onQuery(null)
  }

  const paths = mention === null ? NONE : (mentions?.paths ?? NONE)
  function choose(index: number): void {
    const path = paths[index]
    if (mention === null || path === undefined) return
    const next = insertMention(value, mention, path)
    caret.current = next.caret
    close()
    onValueChange(next.value)
    field.current?.focus()
  }

  const list = useListNavigation(paths.length, mention?.query ?? '', choose)
  const handleKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Tab' && !event.shiftKey && paths.length > 0) {
      event.preventDefault()
      choose(list.active)
      return true
    }
    if (event.key !== 'Escape') return list.handleKey(event)
    left.current = mention?.start ?? null
    close()
    event.preventDefault()
    // Esc has other meanings on the page.
    event.stopPropagation()
    return true
  }
  const menu: ListNavigation | null = paths.length === 0 ? null : { ...list, handleKey }
  return { look, paths, menu, choose }
}
