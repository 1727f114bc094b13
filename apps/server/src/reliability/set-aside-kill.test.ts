import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reply } from '@palimpsest/testing'
import { expect, test, vi } from 'vitest'
import { processesNamed } from '../testing/processes-named.ts'
import { startProcess } from '../testing/start-process.ts'
import { type Connection, connect } from './connection.ts'
import { openLabFolder } from './lab-folder.ts'

// Each starts real servers.
vi.setConfig({ testTimeout: 120_000 })

/** Seconds that commands sleep; nothing else sleeps as long. */
const LONG = `86419.${process.pid}`

const SKILL = '---\\nname: made\\ndescription: Made\\n---\\nDo it.\\n'

/** Makes what this server, other agents and git act on. */
const MAKING = [
  'mkdir -p .agents/skills/made .agents/agents .agents/commands sub',
  `printf -- '${SKILL}' > .agents/skills/made/SKILL.md`,
  `printf -- '${SKILL}' > .agents/agents/made.md`,
  'echo Made > .agents/commands/made.md',
  'echo "{}" | tee .mcp.json sub/.mcp.json opencode.json palimpsest.config.json > /dev/null',
  'git init -q new && git -C new config core.fsmonitor "touch ran"',
].join('; ')

const MADE = [
  '.agents/skills/made/SKILL.md',
  '.agents/agents/made.md',
  '.agents/commands/made.md',
  '.mcp.json',
  'sub/.mcp.json',
  'opencode.json',
  'palimpsest.config.json',
]

/** A server whose chat runs one command that makes all of it, and then sleeps. */
async function openLab(background: boolean) {
  const line = `${MAKING}; touch done; sleep ${LONG}`
  const bash = { name: 'bash', input: { command: line, background } }
  const lab = await openLabFolder(({ body }) =>
    JSON.stringify(body).includes('"role":"tool"')
      ? reply({ text: ['On.'] })
      : reply({ toolCalls: [{ id: 'call', ...bash }] }),
  )
  const work = join(lab.folder, 'work')
  await mkdir(join(work, '.claude/skills/kept'), { recursive: true })
  await writeFile(join(work, '.claude/skills/kept/SKILL.md'), '---\nname: kept\ndescription: Kept\n---\nA.\n')
  return {
    ...lab,
    work,
    at: (path: string) => join(work, path),
    environment: { ...lab.environment, PALIMPSEST_WORKSPACE: work, LOG_LEVEL: 'warn' },
    async run({ api }: Connection) {
      const model = { providerId: 'lab', modelId: 'm1' }
      await api.session.create.mutate({ id: 's', model, workspaceRoot: work })
      await api.permission.setMode.mutate({ sessionId: 's', mode: 'full-access' })
      const message = { parts: [{ type: 'text' as const, text: 'Go' }] }
      await api.session.send.mutate({ sessionId: 's', message })
      await vi.waitFor(() => expect(existsSync(join(work, 'done'))).toBe(true), { timeout: 20_000 })
    },
    async [Symbol.asyncDispose]() {
      for (const id of await processesNamed(LONG)) process.kill(Number(id), 'SIGKILL')
      await lab[Symbol.asyncDispose]()
    },
  }
}

/** The names that the server lists of what files bring. */
async function listed({ api }: Connection): Promise<string[]> {
  const place = { sessionId: 's' }
  const [skills, agents, commands, trust] = await Promise.all([
    api.skill.list.query(place),
    api.agentFile.list.query(place),
    api.command.list.query(place),
    api.trust.list.query(place),
  ])
  const names = [...skills.items, ...commands.items].map(({ name }) => name)
  return [...names, ...agents.items.map(({ id }) => id), ...trust.items.map(({ path }) => path)].filter(
    (name) => /made|kept/.test(name),
  )
}

test.for([false, true])(
  'SX-13 what a command made before its server was killed is set aside by the next start, in the background: %s',
  async (background) => {
    await using lab = await openLab(background)
    {
      await using server = await startProcess(lab.environment)
      using connection = connect(server.url)
      await lab.run(connection)
      server.kill('SIGKILL')
      await server.exited
    }
    expect(MADE.filter((path) => !existsSync(lab.at(path)))).toEqual([])
    await using server = await startProcess(lab.environment)
    using connection = connect(server.url)
    expect(await listed(connection)).toEqual(['kept'])
    expect(MADE.filter((path) => existsSync(lab.at(path)))).toEqual([])
    expect(await readFile(lab.at('sub/.mcp.json.set-aside'), 'utf8')).toBe('{}\n')
    expect(await readdir(lab.at('new/.git'))).toContain('config.set-aside')
    expect(await readdir(join(lab.folder, 'outputs/running'))).toEqual([])
    expect(server.output).toContain('renamed to ….set-aside')
    expect(await processesNamed(LONG)).toEqual([])
  },
)

test('SX-13 while a command runs the server reads nothing that it has made by a protected name', async () => {
  await using lab = await openLab(true)
  await using server = await startProcess(lab.environment)
  using connection = connect(server.url)
  await lab.run(connection)
  expect(MADE.filter((path) => !existsSync(lab.at(path)))).toEqual([])
  expect(await listed(connection)).toEqual(['kept'])
  const { items } = await connection.api.process.list.query({ sessionId: 's' })
  await connection.api.process.stop.mutate({ sessionId: 's', processId: items[0]?.id ?? '' })
  await vi.waitFor(() => expect(existsSync(lab.at('.agents.set-aside'))).toBe(true), { timeout: 20_000 })
  expect(await listed(connection)).toEqual(['kept'])
})
