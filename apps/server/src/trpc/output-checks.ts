import type { AnyRouter } from '@trpc/server'

/** A step of a procedure, as tRPC keeps it: that of an output schema has the type `output`. */
type Step = { _type?: string }

/**
 * Takes the checks of outputs out of all procedures of a router, so that no answer is parsed again. The schemas give clients their
 * types, and development and tests check every answer against them; they are open and change nothing.
 */
export function dropOutputChecks(router: AnyRouter): void {
  // tRPC types its procedures nested, as the routers are, and keeps them flat.
  const procedures = router._def.procedures as unknown as Record<string, { _def: { middlewares: Step[] } }>
  for (const { _def } of Object.values(procedures))
    _def.middlewares = _def.middlewares.filter(({ _type }) => _type !== 'output')
}
