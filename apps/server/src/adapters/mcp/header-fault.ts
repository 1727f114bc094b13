import { isObject, type JsonObject } from '@palimpsest/core/domain'

/** The keyword of a property whose argument is sent as a header, too (Streamable HTTP of revision 2026-07-28). */
const KEYWORD = 'x-mcp-header'
/** A token by RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: readonly unknown[] = ['string', 'integer', 'boolean']
/** Characters of a property or header in a reason. */
const SHOWN = 60

/**
 * Why a client must not offer a tool whose schema names headers, in one sentence; null for a tool without a fault. The headers have
 * to be tokens that differ in more than case, each of a string, an integer or a boolean that only `properties` lead to.
 */
export function headerFault(schema: JsonObject): string | null {
  const seen = new Set<string>()
  const allowed = new Set<object>()

  /** The faults of the properties that only `properties` lead to. */
  function ofProperties(properties: unknown): string | null {
    if (!isObject(properties)) return null
    for (const [name, inner] of Object.entries(properties)) {
      if (!isObject(inner)) continue
      allowed.add(inner)
      const fault = ofProperty(name, inner) ?? ofProperties(inner['properties'])
      if (fault !== null) return fault
    }
    return null
  }

  function ofProperty(name: string, property: Record<string, unknown>): string | null {
    if (!Object.hasOwn(property, KEYWORD)) return null
    const header = property[KEYWORD]
    const where = `The property "${cut(name)}"`
    if (typeof header !== 'string' || header === '') return `${where} names an empty header.`
    if (!TOKEN.test(header)) return `${where} names the header "${cut(header)}", which is no header's name.`
    if (!TYPES.includes(property['type']))
      return `${where} names a header and is no string, integer or boolean.`
    if (seen.has(header.toLowerCase())) return `Two properties name the header "${cut(header)}".`
    seen.add(header.toLowerCase())
    return null
  }

  /** A header anywhere else. */
  function isElsewhere(value: unknown, isSchema: boolean): boolean {
    if (Array.isArray(value)) return value.some((inner) => isElsewhere(inner, true))
    if (!isObject(value)) return false
    if (isSchema && Object.hasOwn(value, KEYWORD) && !allowed.has(value)) return true
    return Object.entries(value).some(([key, inner]) => !DATA.has(key) && isElsewhere(inner, !NAMED.has(key)))
  }

  const fault = ofProperties(schema['properties'])
  if (fault !== null) return fault
  return isElsewhere(schema, true) ? 'It names a header outside of its properties.' : null
}

/** Keywords whose values are no schemas. */
const DATA = new Set(['default', 'const', 'enum', 'examples', 'required'])
/** Keywords with schemas by names: a name is no keyword. */
const NAMED = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])

function cut(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`
}
