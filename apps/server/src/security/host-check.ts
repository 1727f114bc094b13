import { hostname, networkInterfaces } from 'node:os'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const EVERYWHERE = ['0.0.0.0', '::', '[::]']

/** Whether only this machine can reach a server that listens on `host`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** The address to open in a browser on this machine. */
export function addressFor(host: string, port: number): string {
  const isHere = isLoopback(host) || EVERYWHERE.includes(host)
  return `http://${isHere ? 'localhost' : bracketed(host)}:${port}`
}

/**
 * Returns whether a `Host` header names this server; any other name belongs to a page whose own name was resolved to our
 * address. A server that listens on every address accepts all addresses of the machine.
 */
export function createHostCheck(host: string, allowedHosts: readonly string[]): (header?: string) => boolean {
  const own = EVERYWHERE.includes(host) ? machineNames() : [bracketed(host)]
  const allowed = new Set([...LOOPBACK, ...own, ...allowedHosts.map(bracketed)])
  return (header) => header !== undefined && allowed.has(hostnameOf(header))
}

/** The name in a `Host` header, without its port, in lower case. */
function hostnameOf(header: string): string {
  return header.toLowerCase().replace(/:\d{1,5}$/, '')
}

function machineNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return [hostname().toLowerCase(), ...addresses.map(({ address }) => bracketed(address))]
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host.toLowerCase()}]` : host.toLowerCase()
}
