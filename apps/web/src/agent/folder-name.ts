/** The last name of a path. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path
}

/** Names that tell folders apart: the last name of each, or its whole path where another has the same. */
export function folderNames(paths: readonly string[]): string[] {
  const names = paths.map(folderName)
  return names.map((name, at) =>
    names.indexOf(name) === names.lastIndexOf(name) ? name : (paths[at] ?? name),
  )
}
