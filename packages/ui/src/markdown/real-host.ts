/** Last labels of names of files that are no top-level domains. */
const FILE_ENDINGS =
  /\.(?:js|jsx|mjs|cjs|ts|tsx|json|jsonl|html?|css|scss|txt|ya?ml|toml|lock|log|csv|tsv|png|jpe?g|gif|svg|webp|pdf|docx?|xlsx?|exe|dll|c|h|cpp|hpp|java|go|rb|php|sql|xml|ini|cfg|conf|env|bak|tmp|vue|lua)$/i

/** Characters without a shape: an address reads the same with them. */
const SHAPELESS = /[\p{C}\p{DI}\u2800]/gu

/** What may be a host with a port; each character is read once. */
const HOST = /[\p{L}\p{M}\p{N}_.-]+(?::\d+)?/gu
const DOMAIN = /\.\p{L}[\p{L}\p{M}\p{N}-]+(?::\d+)?$/u
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/
const LOCAL = /^localhost(?::\d+)?$/i

/**
 * Where a link really leads when its text looks like an address of somewhere else: the host as ASCII, with its port, or the
 * address of a mail. Null when the text and the link agree, or when the text looks like no address.
 */
export function realHost(text: string, url: URL): string | null {
  const shown = text.normalize('NFKC').replace(SHAPELESS, '').replaceAll('。', '.')
  const target = url.protocol === 'mailto:' ? mailHost(url) : url.hostname
  const named = shown.split(/\s+/).flatMap(hostsOf)
  const agrees = (host: string) => isAscii(host) && isSame(host, target, url)
  if (named.every(agrees)) return null
  return url.protocol === 'mailto:' ? decoded(url.pathname) : url.host
}

/** What reads as a host in a word: in an address only before its path. */
function hostsOf(word: string): string[] {
  const scheme = /^[^\p{L}\p{N}]*(?:[a-z][a-z\d+.-]*:)?[\\/]{2}(?=[^\\/])/iu.exec(word)
  const start = word.slice(scheme?.[0].length ?? 0)
  const authority = start.split(/[\\/?#]/u, 1)[0] ?? ''
  const hosts = [...authority.matchAll(HOST)].map(([host]) => host.replace(/^\.+|\.(?=:|$)/g, ''))
  if (scheme !== null) return hosts.some(isHost) ? hosts.filter(isHost) : [authority]
  return hosts.filter((host) => isHost(host) && !FILE_ENDINGS.test(host))
}

function isHost(host: string): boolean {
  return DOMAIN.test(host) || NUMBERS.test(host) || LOCAL.test(host)
}

function isSame(host: string, target: string, url: URL): boolean {
  const named = URL.parse(`http://${host}`)
  if (named === null || bare(named.hostname) !== bare(target)) return false
  const port = /:(\d+)$/.exec(host)?.[1]
  return port === undefined || port === portOf(url)
}

function bare(host: string): string {
  return host.replace(/\.$/, '').replace(/^www\./, '')
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

function mailHost({ pathname }: URL): string {
  return URL.parse(`http://${decoded(pathname).split('@').at(-1)}`)?.hostname ?? ''
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function isAscii(text: string): boolean {
  return /^[!-~]*$/.test(text)
}
