/** Tools by the names that other products give them. */
const NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['read', ['read']],
  ['ls', ['read']],
  ['list', ['read']],
  ['write', ['write']],
  ['edit', ['edit']],
  ['multiedit', ['edit']],
  ['patch', ['edit']],
  ['glob', ['glob']],
  ['grep', ['grep']],
  ['bash', ['bash', 'bash_output', 'bash_stop']],
  ['bashoutput', ['bash_output']],
  ['killshell', ['bash_stop']],
  ['bash_output', ['bash_output']],
  ['bash_stop', ['bash_stop']],
  ['webfetch', ['web_fetch']],
  ['web_fetch', ['web_fetch']],
  ['websearch', ['web_search']],
  ['web_search', ['web_search']],
  ['todo', ['todo']],
  ['todowrite', ['todo']],
  ['todoread', ['todo']],
  ['task', ['task']],
  ['agent', ['task']],
  ['question', ['question']],
  ['askuserquestion', ['question']],
  ['skill', ['skill']],
  ['tool_search', ['tool_search']],
  ['memory_write', ['memory_write']],
  ['memory_read', ['memory_read']],
  ['memory_list', ['memory_list']],
  ['memory_delete', ['memory_delete']],
  ['recall', ['recall']],
])

/**
 * The ids of tools by their names in any product; null for null. A name may carry a pattern, `Bash(git *)`, which is left out: it
 * names what may run unasked, and a list of tools permits nothing. A tool of an MCP server keeps its name.
 */
export function toolIds(names: readonly string[] | null): {
  ids: readonly string[] | null
  unknown: readonly string[]
} {
  if (names === null) return { ids: null, unknown: [] }
  const bare = names.map((name) => name.replace(/\(.*\)$/s, '').trim())
  const found = bare.map((name) => ({
    name,
    ids: name.startsWith('mcp__') ? [name] : (NAMES.get(name.toLowerCase()) ?? null),
  }))
  return {
    ids: [...new Set(found.flatMap(({ ids }) => ids ?? []))],
    unknown: found.flatMap(({ name, ids }) => (ids === null ? [name.slice(0, 100)] : [])),
  }
}
