import ipaddr from 'ipaddr.js'

/** Networks of IPv4 that are unicast and yet not of the public web: metadata and health services of clouds. */
const NOT_PUBLIC = ['168.63.129.16/32', '192.0.0.0/24', '192.88.99.0/24'].map((range) =>
  ipaddr.parseCIDR(range),
)
/** The part of IPv6 that is given out; everything else is special, or free for any use. */
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address, as it would be dialled, is one of the public web. */
export function mayDial(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv6
    ? parsed.match(GLOBAL)
    : !NOT_PUBLIC.some((range) => range[0].kind() === 'ipv4' && parsed.match(range as [ipaddr.IPv4, number]))
}
