type Found = { source: string; path: string }
type Listed<Item> = { items: readonly Item[]; warnings: readonly { path: string; text: string }[] }

/** An item with the folder of the chats that it is for; null when it is for all of them. */
export type InFolder<Item> = Item & { folder: string | null }

/**
 * What several folders bring, as one list: what is the same for all of them once, then what each of them brings. The folder is
 * named only where there are several.
 */
export function inFolders<Item extends Found>(
  lists: readonly (Listed<Item> & { folder: string })[],
): { items: InFolder<Item>[]; warnings: { path: string; text: string }[] } {
  const several = lists.length > 1
  const shared = new Map<string, Item>()
  const own: InFolder<Item>[] = []
  const warnings = new Map<string, { path: string; text: string }>()
  for (const { folder, items, warnings: texts } of lists) {
    for (const item of items) {
      if (item.source === 'project') own.push({ ...item, folder: several ? folder : null })
      else shared.set(`${item.source} ${item.path}`, item)
    }
    for (const warning of texts) warnings.set(`${warning.path} ${warning.text}`, warning)
  }
  return {
    items: [...[...shared.values()].map((item) => ({ ...item, folder: null })), ...own],
    warnings: [...warnings.values()],
  }
}
