/** What programs in English, Node, Python and others print when they write where nothing can be written. */
const SAYS_SO = /read-only file system|\bEROFS\b/i

/** The error of a program as it prints it itself: its name, what it is about, and the cause at the end of the line. */
const OWN_ERROR = /^(?:[\w.+/-]+|\S+: line \d+): .*read-only file system\)?\.?$/im

/**
 * Whether a command that ran where nothing can be written tried to write. Only its output says so: the kernel reports the error to
 * the program alone. A line that succeeds may have read that text, so there only the error of a program counts, as that of
 * `xxd -ps a b | head`. A command that drops its errors has merely failed.
 */
export function triedToWrite(output: string, code: number | null): boolean {
  return (code === 0 ? OWN_ERROR : SAYS_SO).test(output)
}

/** What programs print about a file, program or host that is not there. */
const NOT_THERE =
  /no such file|cannot access|not found|not a git repository|unreachable|could not resolve|name resolution/i

/** Whether a command that ran where little can be read failed by something that is not there. */
export function missedSomething(output: string, code: number | null): boolean {
  return code !== 0 && NOT_THERE.test(output)
}
