/** Milliseconds after which a task runs although no frame was drawn, as in a tab that nobody sees. */
const HIDDEN_TAB_MS = 250

/** Runs a task once, before the next frame is drawn. */
export function beforeNextFrame(task: () => void): void {
  const frame = requestAnimationFrame(run)
  const timer = setTimeout(run, HIDDEN_TAB_MS)

  function run(): void {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
    task()
  }
}
