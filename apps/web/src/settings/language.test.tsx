// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { openChatLab } from '../testing/chat-lab.tsx'
import { setTranslations } from '../words/in-language.ts'

afterEach(() => {
  setTranslations({})
  document.documentElement.removeAttribute('data-language')
})

const choose = async (name: string) => fireEvent.click(await screen.findByRole('radio', { name }))
const heading = (name: string) => screen.findByRole('heading', { level: 2, name })

test('UI-25 UI-31 a language is applied at once, is kept in the browser, and its field keeps the focus', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/general')
  await heading('General')
  await choose('Deutsch')
  await heading('Allgemein')
  expect(document.documentElement.lang).toBe('de')
  expect(document.cookie).toContain('palimpsest-language=de')
  expect(document.title).toBe('Allgemein · Einstellungen · Palimpsest')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Deutsch' })))
  await page.click('Einstellungen schließen')
  await screen.findByText('Was soll entstehen?')
  await screen.findByRole('textbox', { name: 'Nachricht' })
})

test('UI-25 a chat in German writes its numbers and dates as German does, and English comes back at once', async () => {
  await using lab = await openChatLab()
  const id = await lab.talk(['Naming the boat', 'And its oars?'])
  using page = lab.open('/settings/general')
  await choose('Deutsch')
  await heading('Allgemein')
  page.app.router.push({ sessionId: id, anchor: null })
  const log = await screen.findByRole('log', { name: 'Nachrichten' })
  await waitFor(() => expect(log.textContent).toContain('And its oars?'))
  expect(screen.getAllByRole('button', { name: 'Hierher zurückspulen' })).toHaveLength(2)
  page.app.router.push({ sessionId: null, anchor: null, settings: 'general' })
  await choose('English')
  await heading('General')
  expect(document.documentElement.lang).toBe('en')
  expect(document.cookie).toContain('palimpsest-language=en')
})

test('UI-25 the last of several choices counts, also when an earlier one loads later', async () => {
  await using lab = await openChatLab()
  using page = lab.open('/settings/general')
  await heading('General')
  const { language } = page.app
  await Promise.all([language.choose('de'), language.choose('en')])
  expect(language.state.get().language).toBe('en')
  await heading('General')
})
