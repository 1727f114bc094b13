import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useListNavigation } from '../primitives/use-list-navigation.ts'
import { insertMention, type Mention, mentionAt } from './mention.ts'

/** The text field in which something may be mentioned. */
export type MentionField = {
  field: RefObject<HTMLTextAreaElement | null>
  value: string
  onValueChange: (value: string) => void
}

export type MentionedAgent = { id: string; description: string }

/** What `@` finds. */
export type Mentions = {
  /** Subagents that fit; they come first. */
  agents?: readonly MentionedAgent[]
  /** Paths that fit what is typed after the `@`. */
  paths: readonly string[]
  /** Called with what is typed after an `@`; null while nothing is mentioned. */
  onQuery: (query: string | null) => void
}

const NONE = { agents: [], names: [] } as const

/** The list of what an `@` before the caret finds. While there is one, the field is described by it and its keys are the list's. */
export function useMention({ field, value, onValueChange, ...mentions }: MentionField & Mentions) {
  const [mention, setMention] = useState<Mention | null>(null)
  /** Where a person has left the list by Escape. */
  const left = useRef<number | null>(null)
  const caret = useRef<number | null>(null)

  function show(next: Mention | null): void {
    if (next?.query === mention?.query && next?.start === mention?.start) return
    setMention(next)
    mentions.onQuery(next?.query ?? null)
  }

  const { agents, names } = mention === null ? NONE : found(mentions)
  function choose(index: number): void {
    const name = names[index]
    if (mention === null || name === undefined) return
    const next = insertMention(value, mention, name)
    caret.current = next.caret
    show(null)
    onValueChange(next.value)
    field.current?.focus()
  }
  const list = useListNavigation(names.length, mention?.query ?? '', choose)

  useLayoutEffect(() => {
    const text = field.current
    if (text === null || caret.current === null) return
    text.setSelectionRange(caret.current, caret.current)
    caret.current = null
  })

  // Each render has listeners of its own, so that they see its text and its list.
  useLayoutEffect(() => {
    const text = field.current
    if (text === null) return undefined
    const look = () => {
      const found = mentionAt(text.value, text.selectionStart)
      if (found?.start !== left.current) left.current = null
      show(left.current === null ? found : null)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (names.length === 0 || !takeKey(event)) return
      // Enter sends, and Esc has meanings of its own on the page.
      event.preventDefault()
      event.stopPropagation()
    }
    const takeKey = (event: KeyboardEvent): boolean => {
      if (event.key === 'Tab' && !event.shiftKey) choose(list.active)
      else if (event.key === 'Escape') {
        left.current = mention?.start ?? null
        show(null)
      } else return list.handleKey({ key: event.key, nativeEvent: event, preventDefault: () => undefined })
      return true
    }
    look()
    text.addEventListener('keydown', onKeyDown)
    text.addEventListener('keyup', look)
    text.addEventListener('click', look)
    return () => {
      text.removeEventListener('keydown', onKeyDown)
      text.removeEventListener('keyup', look)
      text.removeEventListener('click', look)
    }
  })

  const { listId } = list
  const activeId = list.optionId(list.active)
  const listed = names.length > 0
  useLayoutEffect(() => {
    const text = field.current
    if (text === null || !listed) return undefined
    const described = {
      'aria-autocomplete': 'list',
      'aria-controls': listId,
      'aria-activedescendant': activeId,
    }
    for (const [name, id] of Object.entries(described)) text.setAttribute(name, id)
    return () => {
      for (const name of Object.keys(described)) text.removeAttribute(name)
    }
  }, [field, listed, listId, activeId])

  return { agents, paths: names.slice(agents.length), list, choose }
}

/** All that is listed, and what is written for each. */
function found({ agents = [], paths }: Mentions) {
  return { agents, names: [...agents.map(({ id }) => id), ...paths] }
}
