import { type LookupAddress, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { mayDial } from './may-dial.ts'
import { NotPublicError } from './not-public-error.ts'

/** Milliseconds to connect, and without a byte of an answer. */
const CONNECT_MS = 5_000
const SILENT_MS = 10_000

/** Connects only to public addresses; `isAllowed` names hosts that may be anywhere. */
export function createCheckedAgent(isAllowed: (host: string) => boolean): Agent {
  const connect = buildConnector({ timeout: CONNECT_MS, lookup: checkedLookup(isAllowed) })
  return new Agent({
    headersTimeout: SILENT_MS,
    bodyTimeout: SILENT_MS,
    maxHeaderSize: 32 * 1024,
    connections: 4,
    // An address in a URL is never looked up.
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      if (isIP(host) !== 0 && !mayDial(host) && !isAllowed(host)) callback(new NotPublicError(host), null)
      else connect(options, callback)
    },
  })
}

/** All addresses of a name have to be public: which of them is dialled, is not ours to choose. */
function checkedLookup(isAllowed: (host: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const [first] = addresses ?? []
      if (error !== null || first === undefined) return callback(error, '', 0)
      if (!isAllowed(hostname) && !addresses.every(({ address }) => mayDial(address)))
        return callback(new NotPublicError(hostname), '', 0)
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family)
    })
  }
}
