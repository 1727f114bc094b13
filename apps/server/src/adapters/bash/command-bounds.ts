import { totalmem } from 'node:os'

const MB = 1024 ** 2
const GB = 1024 ** 3

/** What one command may use, with everything that it starts. */
export type CommandBounds = {
  /** Bytes of resident memory of all its processes, and of the private memory that one of them asks for. */
  memory: number
  /** Its processes and their threads. */
  tasks: number
  /** Bytes of one file that it writes. */
  fileBytes: number
  /** Bytes of `/tmp` and of `/dev/shm` in the sandbox, each of which is in memory. */
  tmpBytes: number
}

export const COMMAND_BOUNDS: CommandBounds = {
  // A type check or bundling of a large project takes 2 to 4 GB, and half of the machine is left for the server.
  memory: Math.min(8 * GB, Math.floor(totalmem() / 2)),
  // A test runner with 16 workers has about 300, a Java build tool about 500; a fork bomb passes any number within seconds.
  tasks: 4_000,
  // Above what compilers and packers write; a disk has room for one such file more often than for ten.
  fileBytes: 4 * GB,
  // Temporary files of a build; a `/tmp` that is full fails for the command alone.
  tmpBytes: 512 * MB,
}

/**
 * Closes what it has inherited beyond its output, takes the bounds that the kernel checks, offers itself first where memory runs out,
 * and becomes the command.
 */
const BECOME = `
fds=(/dev/fd/[0-9]*)
[ -e "\${fds[0]}" ] || fds=({3..99})
for fd in "\${fds[@]##*/}"; do [ "$fd" -gt 2 ] && { exec {fd}>&-; } 2>/dev/null; done
ulimit -c 0
ulimit -f "$1" 2>/dev/null
ulimit -d "$2" 2>/dev/null
[ -z "$3" ] || ulimit -u "$3" 2>/dev/null
{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null
shift 3
exec "$@"`

/**
 * The command with the bounds that the kernel checks. That on tasks counts all of a user where there is no sandbox, so there it is not
 * set; nor does it count for root. The watch of `watchCommand` counts for both.
 */
export function withBounds(
  argv: readonly string[],
  { fileBytes, memory, tasks }: CommandBounds,
  isBoxed: boolean,
): string[] {
  const limits = [Math.floor(fileBytes / 1024), Math.floor(memory / 1024), isBoxed ? tasks : '']
  return ['/bin/bash', '--noprofile', '--norc', '-c', BECOME, 'bash', ...limits.map(String), ...argv]
}
