/** Tells whoever started this process where it listens, and ends when they are gone. */
export function announce(url: string): void {
  process.stdout.write(`Listening on ${url}\n`)
  process.once('disconnect', () => process.exit())
}
