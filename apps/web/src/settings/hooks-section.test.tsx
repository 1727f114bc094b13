// @vitest-environment happy-dom
import { AppError } from '@palimpsest/core/domain'
import type { Hook } from '@palimpsest/core/ports'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { settingsWords } from '../words/en-settings.ts'

const { hooks: words } = settingsWords

const hook = (name: string, more: Partial<Hook> = {}): Hook => ({
  name,
  event: 'message.user',
  kind: 'module',
  source: `./hooks/${name}.mjs`,
  required: false,
  timeoutMs: 2_000,
  tools: null,
  run: () => Promise.resolve({}),
  ...more,
})

test('HK-2 UI-31 the settings list hooks in declared order, with what each is and how it has done', async () => {
  let failing = true
  await using lab = await openChatLab({
    hooks: [
      hook('zebra', {
        run: () =>
          failing ? Promise.reject(new AppError('HOOK_DENIED', 'Not ready.')) : Promise.resolve({}),
      }),
      hook('apple', {
        event: 'tool.before',
        kind: 'command',
        source: 'node guard.mjs',
        required: true,
        tools: ['bash', 'write'],
      }),
    ],
  })
  const id = await lab.talk(['One'])
  failing = false
  await lab.talk(['Two'], id)
  using _page = lab.open('/settings/hooks')
  const list = within(await screen.findByRole('list', { name: words.list }))
  const names = list.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(names).toEqual(['zebra', 'apple'])
  const zebra = within(list.getByRole('article', { name: 'zebra' }))
  zebra.getByText('message.user')
  zebra.getByText('./hooks/zebra.mjs')
  zebra.getByText(`${words.kinds.module} · ${words.optional} · ${words.limit('2 s')}`)
  zebra.getByText(/^2 runs, 0 blocked, 1 failed · Last run .+: no objection$/)
  zebra.getByText(/^Last failure .+: Not ready\.$/)
  const apple = within(list.getByRole('article', { name: 'apple' }))
  apple.getByText('node guard.mjs')
  apple.getByText(/Required · At most 2 s · Only for bash, write$/)
  apple.getByText(words.neverRun)
})

test('HK-2 without a hook the settings say how one is added', async () => {
  await using lab = await openChatLab()
  using _page = lab.open('/settings/hooks')
  await screen.findByText(words.empty)
  await screen.findByText(words.addHint('palimpsest.config.json'))
  screen.getByText(/"event": "tool\.before"/)
})

test('HK-2 a list of hooks that cannot be read is asked for again', async () => {
  await using lab = await openChatLab({ hooks: [hook('zebra')] })
  const line = lab.connect()
  line.refuse('hook.list', 'INTERNAL', 'Not now.')
  using _page = lab.open('/settings/hooks', line)
  await screen.findByText('Not now.')
  screen.getByRole('button', { name: 'Try again' }).click()
  await screen.findByRole('article', { name: 'zebra' })
})
