import { dirname, relative } from 'node:path'
import type { Plugin } from 'rolldown'

/** Packages that read files beside their own, or load machine code: they stay where they are. */
const IN_PLACE =
  /^(better-sqlite3|next|@prisma\/(client|adapter-better-sqlite3|schema-engine-wasm)|@vscode\/ripgrep)(\/|$)/
const OURS = /\/(apps|packages)\/\w+\/src\//
/** A file that is started; a package that is resolved; the address or folder of the module. */
const PLACE =
  /new URL\('(\.\/[\w-]+\.ts)', import\.meta\.url\)|import\.meta\.resolve\('([^']+)'\)|import\.meta\.(?:url|dirname)/g

/**
 * Makes a module of ours that is built into `dist` find what it finds from its source: `import.meta.url`, `.dirname` and
 * `.resolve` are those of the source, and a worker or process that it starts by `new URL('./x.ts', import.meta.url)` is built
 * too. All addresses are relative to `dist`, so that the checkout can be moved.
 */
export function sourcePlaces(dist: string): Plugin {
  const addressOf = (path: string) => `new URL(${JSON.stringify(relative(dist, path))}, import.meta.url)`
  const folderOf = (path: string) =>
    `process.getBuiltinModule('node:path').join(import.meta.dirname, ${JSON.stringify(relative(dist, dirname(path)))})`
  return {
    name: 'source-places',
    async resolveId(id, importer) {
      if (importer === undefined || !IN_PLACE.test(id)) return null
      const found = await this.resolve(id, importer, { skipSelf: true })
      return found === null ? null : { id: relative(dist, found.id), external: true }
    },
    transform: {
      filter: { id: OURS, code: 'import.meta' },
      async handler(code, path) {
        const find = async (name: string) => {
          const found = await this.resolve(name, path)
          if (found === null) throw new Error(`${path} names ${name}, which does not exist.`)
          return found.id
        }
        const built: string[] = []
        for (const [place, started, resolved] of code.matchAll(PLACE)) {
          if (started !== undefined) {
            const file = this.emitFile({ type: 'chunk', id: await find(started) })
            built.push(`new URL(import.meta.ROLLUP_FILE_URL_${file})`)
          } else if (resolved !== undefined) built.push(`${addressOf(await find(resolved))}.href`)
          else built.push(place === 'import.meta.url' ? `${addressOf(path)}.href` : folderOf(path))
        }
        return code.replaceAll(PLACE, () => built.shift() ?? '')
      },
    },
  }
}
