import type { LateModule } from './late-module.ts'

/** What a person does first: nothing can be opened without one of these. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel'] as const

/** Milliseconds after which a page that nobody touches has time for what may be wanted of it. */
const QUIET_MS = 3_000

/** Fetches modules as soon as anybody touches the page, or once it has been quiet. Answers how to leave it. */
export function loadOnFirstSign(modules: readonly LateModule<unknown>[]): () => void {
  const stop = new AbortController()
  const leave = () => {
    clearTimeout(timer)
    stop.abort()
  }
  const load = () => {
    leave()
    for (const module of modules) module.load()
  }
  const timer = setTimeout(load, QUIET_MS)
  for (const sign of SIGNS) {
    window.addEventListener(sign, load, { capture: true, passive: true, signal: stop.signal })
  }
  return leave
}
