import { type Core, type CorePorts, systemClock } from '@palimpsest/core'
import { openStore } from '@palimpsest/db'
import { MODEL, portsOn, SAYS } from './crash-ports.ts'
import { POINTS, type Point, withFailpoint } from './failpoints.ts'

/** The failpoints of a run that nobody steers. */
export const RUN_POINTS: readonly Point[] = POINTS.filter((point) => !point.endsWith('steer'))

export type CrashingHost = {
  /** The store. */
  url: string
  /** The scripted provider. */
  baseURL: string
  point: Point
  occurrence: number
  open(ports: CorePorts): Core
}

/**
 * Runs one turn of a new session, `s`, on a host that crashes at a failpoint; `answer` replies to what the turn asks, until it has
 * ended. Returns false when the host crashed before that.
 */
export async function runUntilCrash(
  { url, baseURL, point, occurrence, open }: CrashingHost,
  answer: (core: Core) => Promise<void>,
): Promise<boolean> {
  await using store = await openStore({ url, clock: systemClock })
  const { ports, crashed } = withFailpoint(portsOn(store, baseURL), point, occurrence)
  const core = open(ports)
  await core.sessions.create({ id: 's', title: 'S', model: MODEL })
  const work = core.sessions.send({ sessionId: 's', message: SAYS }).then(() => answer(core))
  return await Promise.race([crashed.then(() => false), work.then(() => true)])
}
