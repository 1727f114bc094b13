import type { ChatMessage, SessionEvent } from '@palimpsest/core/domain'
import type { SessionEvents } from '@palimpsest/core/ports'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const RUN_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800]
const MILLISECONDS = 1000

export interface Metrics extends Disposable {
  /** One HTTP answer. Paths are grouped, so that no id becomes a label. */
  countRequest(request: { method: string; group: string; status: number; ms: number }): void
  /** The Prometheus text format. */
  render(): Promise<{ contentType: string; body: string }>
}

/** Counts events of the server. `gauges` are read when metrics are requested. */
export function createMetrics(
  events: SessionEvents,
  gauges: { activeRuns(): number; sockets(): number },
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'palimpsest_http_request_seconds',
    help: 'HTTP requests by method, group of paths and status',
    labelNames: ['method', 'group', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const tokens = new Counter({
    name: 'palimpsest_tokens_total',
    help: 'Tokens that providers counted, by model and kind',
    labelNames: ['provider', 'model', 'kind'],
    registers,
  })
  const runs = new Histogram({
    name: 'palimpsest_run_seconds',
    help: 'Length of finished runs by how they ended',
    labelNames: ['finish'],
    buckets: RUN_SECONDS,
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('palimpsest_active_runs', 'Runs that are on', gauges.activeRuns)
  gauge('palimpsest_websockets', 'WebSockets that are open', gauges.sockets)

  function countMessage({ role, metadata }: ChatMessage): void {
    if (role !== 'assistant' || metadata === undefined) return
    const { durationMs, finishReason = 'other', model, usage } = metadata
    if (durationMs !== undefined) runs.observe({ finish: finishReason }, durationMs / MILLISECONDS)
    if (usage === undefined) return
    const labels = { provider: model?.providerId ?? 'unknown', model: model?.modelId ?? 'unknown' }
    const { input, output, reasoning, cacheRead, cacheWrite } = usage
    for (const [kind, count] of Object.entries({ input, output, reasoning, cacheRead, cacheWrite })) {
      tokens.inc({ ...labels, kind }, count)
    }
  }

  const subscription = events.subscribe(null, (event: SessionEvent) => {
    if (event.type === 'message-settled') countMessage(event.message)
  })

  return {
    countRequest: ({ method, group, status, ms }) =>
      requests.observe({ method, group, status }, ms / MILLISECONDS),
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  }
}
