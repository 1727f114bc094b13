/** The reader's result for one file: its path and how many imports it found. */
export interface ReadModule {
  readonly source: string
  readonly dependencies: readonly unknown[]
}

const importing = /^(import|export)\b[^;'"]*\bfrom\s+['"](?!.*generated\/)/m

/**
 * The files that `modules` misses, or shows without any import although `textOf` a file has one. Imports of generated
 * code do not count: the reader leaves it out on purpose.
 */
export function unreadFiles(
  files: readonly string[],
  modules: readonly ReadModule[],
  textOf: (file: string) => string,
): string[] {
  const imports = new Map(modules.map(({ source, dependencies }) => [source, dependencies.length]))
  return files.filter((file) => {
    const found = imports.get(file)
    return found === undefined || (found === 0 && importing.test(textOf(file)))
  })
}
