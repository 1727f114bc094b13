/** Characters of a tool's id: what every provider accepts. */
const MAX_CHARACTERS = 64
const HASH_CHARACTERS = 8

/**
 * The ids of a server's tools, by their names: `<server>_<tool>`. A name that providers do not accept, or whose id is `taken`, gets a
 * hash of the name at its end, so that an id never depends on the other tools of its server. Of two tools with the same id, as
 * of two with the same name, only the first has one.
 */
export function toolIds(
  server: string,
  names: readonly string[],
  taken: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const used = new Set(taken)
  const ids = new Map<string, string>()
  for (const name of names) {
    const id = idOf(server, name, taken)
    if (used.has(id) || ids.has(name)) continue
    used.add(id)
    ids.set(name, id)
  }
  return ids
}

function idOf(server: string, name: string, taken: ReadonlySet<string>): string {
  const plain = `${server}_${name}`
  const isPlain = name !== '' && plain.length <= MAX_CHARACTERS && /^[\w-]+$/.test(name)
  if (isPlain && !taken.has(plain)) return plain
  const kept = name.slice(0, MAX_CHARACTERS).replace(/[^\w-]/g, '_')
  return `${`${server}_${kept}`.slice(0, MAX_CHARACTERS - HASH_CHARACTERS - 1)}_${hashOf(name)}`
}

/** FNV-1a of the text's UTF-16 units in hexadecimal: it keeps names apart, and no secret depends on it. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(HASH_CHARACTERS, '0')
}
