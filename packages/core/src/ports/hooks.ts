import type { HookAnswer, HookEvent, HookPayload } from '../domain/settings/hook.ts'

/** A hook that the operator has declared. */
export type Hook = {
  /** Unique among those of a host. */
  name: string
  event: HookEvent
  kind: 'command' | 'module'
  /** What persons recognise it by, without anything secret: the program of a command with its script, or the path of a module. */
  source: string
  /** When it fails, it blocks what its event is about. */
  required: boolean
  timeoutMs: number
  /** The tools whose calls it is for; null for all. */
  tools: readonly string[] | null
  /** Ends as soon as the signal aborts. What it rejects with is logged; a message of an `AppError` is shown. */
  run(payload: HookPayload, signal: AbortSignal): Promise<HookAnswer>
}
