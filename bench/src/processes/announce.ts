/** Prints the address of this process for its parent, and exits with the parent. */
export function announce(url: string): void {
  process.stdout.write(`Listening on ${url}\n`)
  process.once('disconnect', () => process.exit())
}
