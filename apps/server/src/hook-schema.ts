import { BLOCKING_EVENTS, HOOK_EVENTS } from '@palimpsest/core/domain'
import { z } from 'zod'

const text = z.string().min(1).max(4096)
const blocking: ReadonlySet<string> = new Set(BLOCKING_EVENTS)

const common = {
  event: z.enum(HOOK_EVENTS),
  /** Shown to persons; by default the event and its number. */
  name: z.string().min(1).max(80).exactOptional(),
  /** A failure blocks, too. */
  required: z.boolean().exactOptional(),
  /** Milliseconds. */
  timeout: z.int().min(1).max(600_000).exactOptional(),
  /** The tools whose calls it is for. */
  tools: z.array(z.string().min(1).max(200)).min(1).max(100).exactOptional(),
}

const hook = z
  .union([
    z.strictObject({ ...common, command: z.tuple([text], z.string().max(4096)) }),
    z.strictObject({ ...common, module: text }),
  ])
  .refine(({ event, required }) => required !== true || blocking.has(event), {
    error: `is only for ${BLOCKING_EVENTS.join(', ')}`,
    path: ['required'],
  })
  .refine(({ event, tools }) => tools === undefined || event.startsWith('tool.'), {
    error: 'is only for tool.before and tool.after',
    path: ['tools'],
  })

/** Hooks in the order in which they run. */
export const hooksSchema = z
  .array(hook)
  .max(100)
  .superRefine((hooks, context) => {
    const names = hooks.map(({ name }) => name)
    for (const [index, name] of names.entries())
      if (name !== undefined && names.indexOf(name) !== index)
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of another hook' })
  })

export type HookConfig = z.output<typeof hooksSchema>[number]
