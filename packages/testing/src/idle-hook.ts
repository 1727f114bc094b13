import type { Hook } from '@palimpsest/core/ports'

/** A hook that does nothing. On a host with one the files may change during any run, as a hook could change them. */
export const IDLE_HOOK: Hook = {
  name: 'idle',
  event: 'turn.end',
  kind: 'module',
  source: './idle.mjs',
  required: false,
  timeoutMs: 5_000,
  tools: null,
  run: () => Promise.resolve({}),
}
