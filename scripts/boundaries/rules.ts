import type { IForbiddenRuleType } from 'dependency-cruiser'
import { testFolders } from '../lib/source-files.ts'
import type { Confinement, Layer } from './layers.ts'
import { confinements, layers } from './layers.ts'

const ownCode = '^(apps|packages|bench|e2e|scripts)/'
const forTests = `(^|/)src/(${testFolders.join('|')})/|^packages/testing/`
/** What matches the paths of tests, and of the files that only tests use. */
export const tests = String.raw`\.test\.tsx?$|${forTests}|^(bench|e2e)/`
const webEntries = '^apps/web/(src/)?(app/|proxy|instrumentation)'
const configs = String.raw`\.config\.(ts|mjs)$|\.d\.ts$`

const inFolders = (folders: readonly string[]) => folders.map((folder) => `^${folder}/`)

/** Every rule of the boundary check: the layers, the confinements, and the general ones. */
export const rules: IForbiddenRuleType[] = [
  ...layers.flatMap(layerRules),
  ...confinements.map(confinementRule),
  {
    name: 'core-has-no-node',
    severity: 'error',
    from: { path: '^packages/core/src/', pathNot: [tests] },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'testing-is-for-tests',
    severity: 'error',
    from: { pathNot: [tests, configs] },
    to: { path: forTests },
  },
  {
    name: 'tests-are-not-imported',
    severity: 'error',
    from: {},
    to: { path: String.raw`\.test\.tsx?$` },
  },
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  {
    name: 'no-orphans',
    severity: 'error',
    from: { orphan: true, pathNot: [tests, configs, webEntries] },
    to: {},
  },
  { name: 'resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
]

function layerRules(layer: Layer, index: number): IForbiddenRuleType[] {
  const inner = layers.slice(0, index).map(({ folder }) => folder)
  const visible = inFolders([layer.folder, ...layer.sees])
  const from = { path: inFolders([layer.folder]), pathNot: [...inFolders(inner), tests] }
  const types = inFolders(layer.seesTypesOf ?? [])
  const rule: IForbiddenRuleType = {
    name: `layer-${layer.folder}`,
    severity: 'error',
    from,
    to: { path: ownCode, pathNot: [...visible, ...types] },
  }
  if (types.length === 0) return [rule]
  return [
    rule,
    {
      name: `types-only-${layer.folder}`,
      severity: 'error',
      from,
      to: { path: types, dependencyTypesNot: ['type-only'] },
    },
  ]
}

function confinementRule({ name, packages, onlyIn = [], inTests, neverIn }: Confinement): IForbiddenRuleType {
  const allowed = [...inFolders(onlyIn), ...(inTests ? [tests] : [])]
  return {
    name,
    severity: 'error',
    from: neverIn ? { path: inFolders(neverIn), pathNot: [tests] } : { pathNot: allowed },
    to: { path: packages.map((wanted) => `node_modules/${wanted}(/|$)`) },
  }
}
