import type { LazyModule } from './lazy-module.ts'

const INTERACTIONS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'wheel'] as const

/** Milliseconds without an interaction after which the modules are loaded anyway. */
const IDLE_MS = 3_000

/** Loads the modules at the first interaction with the page, or once it was idle for 3 s. Returns how to cancel. */
export function preloadOnInteraction(modules: readonly LazyModule<unknown>[]): () => void {
  const listening = new AbortController()
  const cancel = () => {
    clearTimeout(timer)
    listening.abort()
  }
  const load = () => {
    cancel()
    for (const module of modules) module.load()
  }
  const timer = setTimeout(load, IDLE_MS)
  for (const interaction of INTERACTIONS) {
    window.addEventListener(interaction, load, { capture: true, passive: true, signal: listening.signal })
  }
  return cancel
}
