import type { Logger } from '@palimpsest/core/ports'
import type { Server } from './open-server.ts'

/** Milliseconds that whatever is still open may keep a stopped process. */
const LINGER_MS = 1000
/** Milliseconds in which another signal is the same one, passed on by whoever started this process as well. */
const ECHO_MS = 500

export type Stopper = {
  /** Lets runs finish, and leaves the process its exit code: 0 when all went well. Anything but the first is too late. */
  stop(reason: string): Promise<void>
  /** The first signal stops as above, the second gives runs no more time, and the third waits for nothing. */
  signal(name: string): Promise<void>
}

/** Stops a server, and with it the process, which `exit` ends at once. */
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
    // Nothing is left to do, so that the process ends by itself. To exit while V8 still compiles in the background can
    // wait for ever, so that is kept for what does not let go of the process.
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
      // How it ends is told by the first signal.
      await server.shutdown(0).catch(() => undefined)
    },
  }
}
