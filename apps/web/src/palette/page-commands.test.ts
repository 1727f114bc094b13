import { expect, test, vi } from 'vitest'
import type { WorkspaceAccess } from '../list/workspace-context.tsx'
import { createApp } from '../stores/app.ts'
import { pageCommands } from './page-commands.ts'

function workspaceLog() {
  const calls: unknown[][] = []
  const log =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...args])
  const workspace: WorkspaceAccess = {
    actions: {
      hrefFor: () => '',
      onSelect: log('select'),
      onCopyLink: log('copy-link'),
      onExport: log('export'),
      onRename: log('rename'),
      onArchive: log('archive'),
      onUnarchive: log('unarchive'),
      onDelete: log('delete'),
      onRestore: log('restore'),
      onPurge: log('purge'),
    },
    dialogs: { palette: log('palette'), shortcuts: log('shortcuts') },
    newChat: log('new-chat'),
    openSettings: log('open-settings'),
    openInspect: log('open-inspect'),
    leaveSettings: log('leave-settings'),
    openBin: log('open-bin'),
    theme: 'system',
    setTheme: log('set-theme'),
    wish: null,
    makeWish: log('make-wish'),
  }
  return { calls, workspace }
}

const app = createApp('/', () => {
  throw new Error('A command that is listed calls nothing.')
})

function commandsFor(session: Parameters<typeof pageCommands>[2]) {
  const { calls, workspace } = workspaceLog()
  const commands = pageCommands(app, workspace, session)
  const run = (id: string) => {
    calls.length = 0
    commands.find((command) => command.id === id)?.onRun()
    return calls
  }
  return { commands, ids: commands.map(({ id }) => id), run }
}

const OPEN = { id: 'ses_1', archived: false }

test('UI-3 a new chat has no commands for a session', () => {
  expect(commandsFor(null).ids).toEqual([
    'new',
    'choose-model',
    'import',
    'bin',
    'add-model',
    'settings',
    'shortcuts',
    'theme-system',
    'theme-light',
    'theme-dark',
  ])
})

test('UI-3 a session can be renamed, exported, linked to, archived and deleted', () => {
  const own = commandsFor(OPEN).ids.filter((id) => !commandsFor(null).ids.includes(id))
  expect(own).toEqual([
    'rename',
    'export',
    'permissions',
    'processes',
    'inspect',
    'copy-link',
    'archive',
    'delete',
  ])
})

test('SA-5 the session of a subagent is neither archived nor deleted by itself', () => {
  const { ids } = commandsFor({ ...OPEN, subagent: true })
  expect(ids.filter((id) => ['archive', 'unarchive', 'delete'].includes(id))).toEqual([])
  expect(ids).toContain('export')
})

test('UI-3 an archived session is taken out of the archive in place of being put there', () => {
  const { ids, run } = commandsFor({ id: 'ses_1', archived: true })
  expect(ids).not.toContain('archive')
  expect(run('unarchive')).toEqual([['unarchive', 'ses_1']])
})

test.for([
  ['new', ['new-chat']],
  ['choose-model', ['make-wish', 'choose-model']],
  ['rename', ['make-wish', 'rename']],
  ['export', ['export', 'ses_1']],
  ['permissions', ['make-wish', 'permissions']],
  ['processes', ['make-wish', 'processes']],
  ['inspect', ['open-inspect', 'ses_1']],
  ['copy-link', ['copy-link', 'ses_1']],
  ['archive', ['archive', 'ses_1']],
  ['delete', ['delete', 'ses_1']],
  ['bin', ['open-bin']],
  ['add-model', ['open-settings', 'models']],
  ['settings', ['open-settings', 'general']],
  ['shortcuts', ['shortcuts']],
  ['theme-system', ['set-theme', 'system']],
  ['theme-light', ['set-theme', 'light']],
  ['theme-dark', ['set-theme', 'dark']],
] as const)('UI-3 the command %s does one thing', ([id, call]) => {
  expect(commandsFor(OPEN).run(id)).toEqual([[...call]])
})

test('UI-3 no two commands have one id or one label', () => {
  for (const session of [null, OPEN, { ...OPEN, archived: true }]) {
    const { commands, ids } = commandsFor(session)
    expect(new Set(ids).size).toBe(ids.length)
    expect(new Set(commands.map(({ label }) => label)).size).toBe(commands.length)
  }
})

test('UI-3 the list of commands does nothing by itself', () => {
  const { calls, workspace } = workspaceLog()
  const fetch = vi.spyOn(globalThis, 'fetch')
  pageCommands(app, workspace, OPEN)
  expect([calls, fetch.mock.calls]).toEqual([[], []])
  fetch.mockRestore()
})
