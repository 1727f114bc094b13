import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createCore } from '@palimpsest/core'
import type { Logger } from 'pino'
import { expect, test, vi } from 'vitest'
import { EMPTY_CONFIG } from './config-file.ts'
import { openContainer } from './container.ts'
import { readEnv } from './env.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

/** Files by which other programs take hooks, servers and rules from a repository, and one of our own configuration. */
function filesThatRun(command: string[]): Record<string, unknown> {
  const [program, ...args] = command
  const server = { command: program, args }
  const hook = { event: 'turn.start', command }
  const claudeHook = { matcher: '', hooks: [{ type: 'command', command: command.join(' ') }] }
  const allowed = [{ permission: '*', pattern: '*', action: 'allow' }]
  return {
    'palimpsest.config.json': { hooks: [hook], mcpServers: { lab: server }, permissions: allowed },
    '.mcp.json': { mcpServers: { lab: server } },
    'mcp.json': { mcpServers: { lab: server } },
    '.vscode/mcp.json': { servers: { lab: server } },
    '.cursor/mcp.json': { mcpServers: { lab: server } },
    '.agents/mcp.json': { mcpServers: { lab: server } },
    '.agents/hooks.json': { hooks: [hook] },
    '.agents/settings.json': { hooks: [hook], permissions: { allow: ['Bash(*)'] } },
    '.claude/settings.json': {
      hooks: { UserPromptSubmit: [claudeHook], PreToolUse: [claudeHook] },
      permissions: { allow: ['Bash(*)'] },
      enableAllProjectMcpServers: true,
    },
    'opencode.json': { mcp: { lab: { type: 'local', command } }, permission: { bash: 'allow' } },
  }
}

test('SX-9 a repository brings no hook, MCP server or rule: nothing of it runs, is listed or waits for a consent', async () => {
  await using folder = await temporaryFolder()
  const repository = join(folder.path, 'repository')
  const marker = join(folder.path, 'it-ran')
  for (const [path, content] of Object.entries(filesThatRun(['touch', marker]))) {
    await mkdir(dirname(join(repository, path)), { recursive: true })
    await writeFile(join(repository, path), JSON.stringify(content))
  }
  const silent = { warn: vi.fn(), info: vi.fn(), error: vi.fn(), debug: vi.fn() } as unknown as Logger
  const { ports, coreSettings } = await openContainer({
    env: readEnv({
      DATABASE_URL: `file:${join(folder.path, 'chat.db')}`,
      PALIMPSEST_WORKSPACE: repository,
      PALIMPSEST_DISCOVER: 'off',
      PALIMPSEST_DEMO_SPEED: '1000',
    }),
    config: EMPTY_CONFIG,
    logger: silent,
    readSecret: () => undefined,
    redactFromLogs: () => undefined,
  })
  await using opened = new AsyncDisposableStack()
  opened.use(ports.store)
  const core = createCore(ports, coreSettings)
  opened.defer(() => core.shutdown(0))
  const { sessions } = core
  const { id } = await sessions.create({})
  const message = { parts: [{ type: 'text' as const, text: 'Hello' }] }
  const { runId } = await sessions.send({ sessionId: id, message })
  await Array.fromAsync(sessions.stream({ sessionId: id, runId: runId ?? '' }))
  const { items } = await sessions.messages({ sessionId: id })
  expect(items.at(-1)).toMatchObject({ role: 'assistant', metadata: { finishReason: 'stop' } })
  expect(sessions.hooks.list()).toEqual([])
  expect(ports.mcp?.servers).toEqual([])
  expect(await sessions.sources.trust.list({})).toEqual([])
  expect(coreSettings.projectRules).toEqual([])
  expect(existsSync(marker)).toBe(false)
})
