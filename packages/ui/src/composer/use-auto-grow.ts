import { type RefObject, useLayoutEffect } from 'react'

/** Makes a text area as high as its text; its CSS sets the limits. */
export function useAutoGrow(field: RefObject<HTMLTextAreaElement | null>, value: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text is what changes the height
  useLayoutEffect(() => {
    const area = field.current
    const around = area?.parentElement
    if (!area || !around || CSS.supports('field-sizing', 'content')) return
    // The parent keeps its height while the text is measured, or else the thread would scroll.
    around.style.minHeight = `${around.offsetHeight}px`
    area.style.height = 'auto'
    area.style.height = `${area.scrollHeight}px`
    around.style.minHeight = ''
  }, [field, value])
}
