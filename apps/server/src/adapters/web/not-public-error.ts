/** The host leads to an address that is not of the public web. */
export class NotPublicError extends Error {
  constructor(host: string) {
    super(`${host} is not a host of the public web`)
    this.name = 'NotPublicError'
  }
}
