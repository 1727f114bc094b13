/**
 * Loaded into a server before its program: measures how long one turn of its event loop keeps everything else waiting.
 * Of the time between two ticks of a timer it counts what the thread computed, so that other processes of the machine
 * do not disturb the figure.
 */
const TICK_MS = 1

let longestMs = 0
let tickedAt = performance.now()
let computed = computedMs()

setInterval(() => {
  const now = performance.now()
  const nowComputed = computedMs()
  longestMs = Math.max(longestMs, Math.min(now - tickedAt, nowComputed - computed))
  tickedAt = now
  computed = nowComputed
}, TICK_MS).unref()

process.on('message', (message) => {
  if (message !== 'longest-block') return
  process.send?.({ longestMs })
  longestMs = 0
})
process.channel?.unref()

function computedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
