import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { cx } from '../primitives/cx.ts'

export type StaysInViewProps = { className?: string; children: ReactNode }

/**
 * On wide screens, sticky inside a row that the other side made longer: its top stays in view, or its end where it is
 * taller than the window.
 */
export function StaysInView({ className, children }: StaysInViewProps) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    const scroller = element?.closest('[role=log]')
    if (!element || !scroller) return
    const observer = new ResizeObserver(() => {
      element.style.top = `${Math.min(0, scroller.clientHeight - element.offsetHeight)}px`
    })
    observer.observe(element)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={box} className={cx('md:sticky', className)}>
      {children}
    </div>
  )
}
