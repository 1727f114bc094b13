import { AppError } from '../domain/errors.ts'
import type { Session } from '../domain/session/session.ts'
import { expandCommand } from '../workspace/commands.ts'
import {
  type GuidancePorts,
  readAgentFiles,
  readCommands,
  readGuidance,
  readSkills,
} from '../workspace/guidance.ts'
import type { Trust, TrustItem } from '../workspace/trust.ts'
import { trustItem } from './agent-registry.ts'
import { createPlaces } from './places.ts'
import type { SourcePlace, SourceService } from './source-service.ts'

/** Characters of an item that a person is shown. */
const SHOWN = 20_000

/** Finds things in the repository of a folder that need a consent. */
export type TrustSource = (root: string) => Promise<readonly TrustItem[]>

/** Lists what files bring. `others` finds what needs a consent beside agents. */
export function createSources(
  ports: GuidancePorts & { trust: Trust },
  requireSession: (id: string) => Promise<Session>,
  others: readonly TrustSource[] = [],
): SourceService {
  const { workspaces, trust } = ports
  const { rootOf } = createPlaces(workspaces, requireSession)

  async function agentItems(root: string): Promise<TrustItem[]> {
    const { agents } = await readAgentFiles(root, ports)
    return agents.filter(({ source }) => source === 'project').map(trustItem)
  }

  async function itemsOf(place: SourcePlace): Promise<TrustItem[]> {
    const root = await rootOf(place)
    if (root === null) return []
    return (await Promise.all([agentItems, ...others].map((find) => find(root)))).flat()
  }

  return {
    async instructions(place) {
      const { instructions } = await readGuidance(await rootOf(place), ports)
      const { files, cut, warnings } = instructions
      const items = files.map(({ path, source, text }) => ({
        path,
        source,
        characters: text.length,
        cut: cut.includes(path),
      }))
      return { items, warnings: [...warnings] }
    },

    async skills(place) {
      const { skills, warnings } = await readSkills(await rootOf(place), ports)
      const items = skills.map(({ name, description, source, path }) => ({ name, description, source, path }))
      return { items, warnings: [...warnings] }
    },

    async agents(place) {
      const { agents, warnings } = await readAgentFiles(await rootOf(place), ports)
      const needed = agents
        .filter(({ source }) => source === 'project')
        .map((file) => ({ ...trustItem(file), file }))
      const trusted = new Set((await trust.trusted(needed)).map(({ file }) => file))
      const items = agents.map((file) => {
        const { id, description, mode, source, path } = file
        return { id, description, mode, source, path, allowed: source !== 'project' || trusted.has(file) }
      })
      return { items, warnings: [...warnings] }
    },

    async commands(place) {
      const { commands, warnings } = await readCommands(await rootOf(place), ports)
      const items = commands.map(({ name, description, hint, source, path }) => ({
        name,
        description,
        hint,
        source,
        path,
      }))
      return { items, warnings: [...warnings] }
    },

    async expand(place, name, given) {
      const { commands } = await readCommands(await rootOf(place), ports)
      const command = commands.find((one) => one.name === name)
      if (command === undefined)
        throw new AppError('INVALID_INPUT', `There is no command ${name}.`, { field: 'name' })
      return expandCommand(command, given)
    },

    trust: {
      async list(place) {
        const items = await itemsOf(place)
        const trusted = new Set(await trust.trusted(items))
        return await Promise.all(
          items.map(async (item) => ({
            digest: await trust.digestOf(item),
            kind: item.kind,
            path: item.path,
            content: item.content.slice(0, SHOWN).toWellFormed(),
            allowed: trusted.has(item),
          })),
        )
      },
      async grant(place, digest) {
        const items = await itemsOf(place)
        const digests = await Promise.all(items.map((item) => trust.digestOf(item)))
        const item = items[digests.indexOf(digest)]
        if (item === undefined)
          throw new AppError('CONFLICT', 'It has changed since you read it. Read it again.', {
            field: 'digest',
          })
        return await trust.grant(item)
      },
      revoke: (digest) => trust.revoke(digest),
    },
  }
}
