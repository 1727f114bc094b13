/** An answer of a provider that is not taken: it redirects, or is past a bound. `message` is a sentence for a person. */
export class RefusedAnswerError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RefusedAnswerError'
  }
}
