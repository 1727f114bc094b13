import type { Logger } from '@palimpsest/core/ports'
import type { Server } from './open-server.ts'

/** Milliseconds that open handles may keep a stopped process alive. */
const LINGER_MS = 1000
/** Milliseconds in which a second signal counts as the same one, forwarded by the parent process as well. */
const ECHO_MS = 500

export type Stopper = {
  /** Lets runs finish, and sets the exit code: 0 when all went well. Only the first call has an effect. */
  stop(reason: string): Promise<void>
  /** The first signal stops as above, the second ends the grace period, and the third exits at once. */
  signal(name: string): Promise<void>
}

/** Stops a server and then the process, which `exit` ends at once. */
export function createStopper(
  server: Pick<Server, 'shutdown' | 'activeRuns'>,
  { graceMs, logger, exit }: { graceMs: number; logger: Logger; exit(code?: number): void },
): Stopper {
  let stopping = false
  let hurried = false
  let heededAt = 0

  async function stop(reason: string): Promise<void> {
    if (stopping) return
    stopping = true
    heededAt = performance.now()
    logger.info({ reason, activeRuns: server.activeRuns }, 'Stopping')
    process.exitCode = await server.shutdown(graceMs).then(
      () => 0,
      (error: unknown) => {
        logger.error({ err: error }, 'The server could not stop in good order')
        return 1
      },
    )
    // No work is left, so that the process ends by itself. Calling exit while V8 still compiles in the background can
    // hang, so it is used only when a handle keeps the process alive.
    setTimeout(() => exit(), LINGER_MS).unref()
  }

  return {
    stop,
    async signal(name) {
      if (!stopping) return await stop(name)
      if (performance.now() - heededAt < ECHO_MS) return
      if (hurried) return exit(1)
      hurried = true
      heededAt = performance.now()
      // The first signal sets how it ends.
      await server.shutdown(0).catch(() => undefined)
    },
  }
}
