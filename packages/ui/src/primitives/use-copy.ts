import { useCallback, useEffect, useRef, useState } from 'react'
import { copyText } from './copy-text.ts'

/** Milliseconds for which a copy button says that it copied. */
const SHOWN_MS = 1_600

export type Copy = { copied: boolean; copy(text: string): void }

/** Copies text to the clipboard; `copied` is true for a moment after. */
export function useCopy(): Copy {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const copy = useCallback((text: string) => {
    const settle = (done: boolean) => {
      setCopied(done)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => setCopied(false), SHOWN_MS)
    }
    void copyText(text).then(settle)
  }, [])
  return { copied, copy }
}
