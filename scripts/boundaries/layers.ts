/**
 * The dependency direction, as data. Folders are repository paths; `sees` is every folder of this repository that
 * the source of a layer may import beside its own. What is not listed is forbidden.
 */
export interface Layer {
  readonly folder: string
  readonly sees: readonly string[]
  /** Folders of which only types may be imported. */
  readonly seesTypesOf?: readonly string[]
}

const core = 'packages/core/src'
const foundation = [`${core}/domain`, `${core}/ports`]
const deciding = ['model', 'prompt', 'workspace', 'context', 'live', 'permission', 'hook'].map(
  (name) => `${core}/${name}`,
)
const acting = [...foundation, ...deciding, `${core}/state`, `${core}/budget`, `${core}/blob`]
const running = [...acting, `${core}/tool`, `${core}/history`]

const web = 'apps/web/src'
const outside = [`${core}/domain`, 'packages/ui', 'packages/client']

/** The folders of the page from the inside out: each may import those before it, and everything outside the page. */
const pageFolders = [
  'words',
  'state',
  'session',
  'stores',
  'model',
  'list',
  'agent',
  'composer',
  'thread',
  'history',
  'chat',
  'compare',
  'inspect',
  'settings',
  'palette',
  'shell',
]
const page: readonly Layer[] = pageFolders.map((name, index) => ({
  folder: `${web}/${name}`,
  sees: [...outside, ...pageFolders.slice(0, index).map((inner) => `${web}/${inner}`)],
  seesTypesOf: ['apps/server'],
}))

/** Layers from the inside out; the first whose folder holds a file is that file's layer. */
export const layers: readonly Layer[] = [
  { folder: `${core}/domain`, sees: [] },
  { folder: `${core}/ports`, sees: [`${core}/domain`] },
  ...deciding.map((folder) => ({ folder, sees: foundation })),
  { folder: `${core}/tool`, sees: [...foundation, ...deciding] },
  { folder: `${core}/state`, sees: foundation },
  { folder: `${core}/budget`, sees: [...foundation, `${core}/state`] },
  { folder: `${core}/blob`, sees: foundation },
  { folder: `${core}/history`, sees: acting },
  { folder: `${core}/run`, sees: running },
  { folder: core, sees: [] },
  { folder: 'packages/db', sees: foundation },
  { folder: 'apps/server', sees: [core, 'packages/db'] },
  { folder: 'packages/client', sees: [`${core}/domain`], seesTypesOf: ['apps/server'] },
  { folder: 'packages/ui', sees: [`${core}/domain`] },
  ...page,
  { folder: 'apps/web', sees: outside, seesTypesOf: ['apps/server'] },
  // The module that starts the server watches the same launcher before.
  { folder: 'scripts', sees: ['apps/server/src/launcher'] },
]

/** Folders in which no import runs back: no folders below, at any depth, import each other. Tests may import all. */
export const oneWay = [
  core,
  web,
  'packages/ui/src',
  'packages/db/src',
  'packages/client/src',
  'apps/server/src',
  'bench/src',
]

/** Packages from outside the repository that one place may import, or that a place must never import. */
export interface Confinement {
  readonly name: string
  readonly packages: readonly string[]
  readonly onlyIn?: readonly string[]
  /** With `onlyIn`: tests anywhere may import them too. */
  readonly inTests?: boolean
  readonly neverIn?: readonly string[]
}

export const confinements: readonly Confinement[] = [
  {
    name: 'prisma-only-in-db',
    packages: ['prisma', '@prisma/.+', 'better-sqlite3'],
    onlyIn: ['packages/db'],
  },
  {
    name: 'providers-only-in-providers',
    packages: ['@ai-sdk/(?!provider/|provider-utils/|react/).+'],
    onlyIn: [`${core}/model/providers`],
    inTests: true,
  },
  {
    name: 'core-is-plain',
    packages: ['@trpc/.+', 'react', 'react-dom', '@ai-sdk/react', 'next', 'redis', 'ioredis'],
    neverIn: [core],
  },
  {
    name: 'ui-fetches-nothing',
    packages: ['@trpc/.+', '@tanstack/react-query', '@ai-sdk/react', 'next'],
    neverIn: ['packages/ui'],
  },
]
