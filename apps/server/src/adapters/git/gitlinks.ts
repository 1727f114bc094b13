const HASH_BYTES = 20
/** Mode 160000, as an index stores it. */
const MODE_OF_LINK = 0o160000
const MARK = Buffer.from([0, 0, 0xe0, 0])
/** Extensions by which entries are stored elsewhere, or that name whole folders. */
const ELSEWHERE = /^(?:link|sdir)$/

/** The paths of submodules in an index of git with SHA-1; null when it cannot be read as a whole. */
export function gitlinksIn(index: Buffer): string[] | null {
  if (!index.includes(MARK) && !index.includes('link') && !index.includes('sdir')) return []
  try {
    return readIndex(index)
  } catch {
    return null
  }
}

function readIndex(index: Buffer): string[] | null {
  const version = index.readUInt32BE(4)
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return null
  const links: string[] = []
  let name = Buffer.alloc(0)
  let at = 12
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flags = at + 40 + HASH_BYTES
    const isExtended = (index.readUInt16BE(flags) & 0x4000) !== 0
    const from = flags + (isExtended ? 4 : 2)
    const cut = version === 4 ? readOffset(index, from) : { value: name.length, end: from }
    const end = index.indexOf(0, cut.end)
    if (end === -1 || cut.value > name.length) return null
    name = Buffer.concat([name.subarray(0, name.length - cut.value), index.subarray(cut.end, end)])
    if (index.readUInt32BE(at + 24) === MODE_OF_LINK) links.push(name.toString('utf8'))
    // Before version 4 an entry is filled up with 1 to 8 zeros.
    at = version === 4 ? end + 1 : at + ((end - at + 8) & ~7)
  }
  return hasElsewhere(index, at) ? null : links
}

/** How much of the name before is cut off, as git writes an offset. */
function readOffset(index: Buffer, from: number): { value: number; end: number } {
  let at = from
  let byte = index.readUInt8(at++)
  let value = byte & 127
  while ((byte & 128) !== 0) {
    byte = index.readUInt8(at++)
    value = (value + 1) * 128 + (byte & 127)
  }
  return { value, end: at }
}

function hasElsewhere(index: Buffer, from: number): boolean {
  let at = from
  while (at + 8 <= index.length - HASH_BYTES) {
    if (ELSEWHERE.test(index.toString('latin1', at, at + 4))) return true
    at += 8 + index.readUInt32BE(at + 4)
  }
  return at !== index.length - HASH_BYTES
}
