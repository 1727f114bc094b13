// @vitest-environment happy-dom
import { PROVIDER_KINDS, type ProviderTest, type ProviderView } from '@palimpsest/core/domain'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { settingsWords } from '../words/en-settings.ts'
import { KNOWN_PROVIDERS, type KnownProvider } from './known-providers.ts'
import type { ProviderInput } from './provider-draft.ts'
import { ProviderForm } from './provider-form.tsx'
import type { PutOptions } from './use-providers.ts'

afterEach(cleanup)

const { models: words } = settingsWords
const WORKS: ProviderTest = { ok: true, models: ['a'] }

const stored: ProviderView = {
  id: 'mine',
  kind: 'openai-compatible',
  label: 'Mine',
  baseURL: 'http://127.0.0.1:9/v1',
  hasKey: true,
  source: 'settings',
  models: ['one', 'two'],
  listed: [],
  problem: null,
}

/** A form whose every saving waits for an answer of the test. */
function openForm(
  provider: ProviderView | null = null,
  taken: readonly string[] = [],
  known: KnownProvider | null = null,
) {
  const puts: { input: ProviderInput; options: PutOptions; answer: PromiseWithResolvers<ProviderTest> }[] = []
  const onClose = vi.fn()
  const onPut = (input: ProviderInput, options: PutOptions = {}) => {
    const answer = Promise.withResolvers<ProviderTest>()
    puts.push({ input, options, answer })
    return answer.promise
  }
  render(<ProviderForm provider={provider} known={known} taken={taken} onPut={onPut} onClose={onClose} />)
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
  const last = () => {
    const put = puts.at(-1)
    if (put === undefined) throw new Error('Nothing was saved.')
    return put
  }
  return {
    puts,
    onClose,
    field,
    enter(name: string, value: string) {
      fireEvent.change(field(name), { target: { value } })
    },
    save() {
      fireEvent.submit(screen.getByRole('form'))
      return last().input
    },
    async answer(test: ProviderTest) {
      last().answer.resolve(test)
      await waitFor(() => expect(saveButton().disabled).toBe(false))
    },
    async refuse(message: string, field?: string) {
      const data = { appCode: 'INVALID_INPUT', ...(field !== undefined && { field }) }
      last().answer.reject(Object.assign(new Error(message), { data }))
      await screen.findByText(message)
    },
    async lose() {
      last().answer.reject(new Error('WebSocket closed'))
      await waitFor(() => expect(saveButton().disabled).toBe(false))
    },
  }
}

const saveButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^(Save and test|Testing)$/ })
const status = () => screen.getByRole('status').textContent
const descriptionOf = (field: HTMLElement) =>
  (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')

test('UI-31 while a provider is saved and tested the button says so and cannot be pressed again', async () => {
  const form = openForm()
  form.enter('Name', 'Lab')
  form.save()
  expect(saveButton().textContent).toBe('Testing')
  expect(saveButton().disabled).toBe(true)
  await form.answer({ ok: false, message: 'No.' })
  expect(saveButton().textContent).toBe('Save and test')
})

test('UI-31 a test that succeeds with models closes the form', async () => {
  const form = openForm()
  form.save()
  await form.answer(WORKS)
  expect(form.onClose).toHaveBeenCalledOnce()
})

test('UI-31 a test that fails leaves the form open with what the server said and all that was entered', async () => {
  const form = openForm()
  form.enter('Name', 'Lab')
  form.enter('API key (if the server needs one)', 'sk-1')
  form.save()
  await form.answer({ ok: false, message: '401 <b>Unauthorized</b>' })
  expect(status()).toBe('The test failed. 401 <b>Unauthorized</b>')
  expect(form.onClose).not.toHaveBeenCalled()
  expect(form.field('Name').value).toBe('Lab')
  expect(form.field('API key (if the server needs one)').value).toBe('sk-1')
})

test('UI-31 a server that lists no models keeps the form open and asks for ids, until some are entered', async () => {
  const form = openForm()
  expect(descriptionOf(form.field(words.ids))).toBe(words.idsHint)
  form.save()
  await form.answer({ ok: true, models: [] })
  expect(status()).toBe('It answers, but lists no models.')
  expect(descriptionOf(form.field(words.ids))).toBe(words.idsNeeded)
  expect(form.onClose).not.toHaveBeenCalled()
  form.enter(words.ids, 'llama')
  expect(form.save().models).toEqual(['llama'])
  await form.answer({ ok: true, models: [] })
  expect(form.onClose).toHaveBeenCalledOnce()
})

test('UI-31 ids that were entered do not close a form whose test failed', async () => {
  const form = openForm()
  form.enter(words.ids, 'llama')
  form.save()
  await form.answer({ ok: false, message: 'No answer.' })
  expect(form.onClose).not.toHaveBeenCalled()
  expect(descriptionOf(form.field(words.ids))).toBe(words.idsNeeded)
})

test('UI-31 a test that fails saves nothing: the next attempt is named anew, and Save anyway saves and closes', async () => {
  const form = openForm()
  form.enter('Name', 'First')
  expect(screen.queryByRole('button', { name: words.saveAnyhow })).toBeNull()
  form.save()
  await form.answer({ ok: false, message: 'No.' })
  form.enter('Name', 'Second')
  expect(form.save().id).toBe('second')
  expect(form.puts.at(-1)?.options).toEqual({ anyhow: false, stored: false })
  await form.answer({ ok: false, message: 'No.' })
  fireEvent.click(screen.getByRole('button', { name: words.saveAnyhow }))
  expect(form.puts.at(-1)).toMatchObject({ input: { id: 'second' }, options: { anyhow: true } })
  await form.answer({ ok: false, message: 'No.' })
  expect(form.onClose).toHaveBeenCalledOnce()
})

test('UI-31 a provider that people know has everything filled in but the key, and the link to where one gets it', async () => {
  const groq = KNOWN_PROVIDERS.find(({ id }) => id === 'groq') ?? null
  const form = openForm(null, [], groq)
  expect(screen.getByRole('form', { name: 'Add Groq' })).toBeTruthy()
  expect(document.activeElement).toBe(form.field(words.key))
  const link = screen.getByRole('link', { name: words.getKey })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([groq?.page, 'noopener noreferrer'])
  expect(screen.queryByLabelText('Provider')).toBeNull()
  form.enter(words.key, 'gsk-1')
  expect(form.save()).toEqual({
    id: 'groq',
    kind: 'openai-compatible',
    label: 'Groq',
    baseURL: 'https://api.groq.com/openai/v1',
    apiKey: 'gsk-1',
    models: [],
  })
  await form.refuse('This value is wrong.', 'baseURL')
  expect(document.querySelector('details')?.open).toBe(true)
})

test('UI-31 a program on one’s own machine needs no key, and its form links to where one gets it', () => {
  const ollama = KNOWN_PROVIDERS.find(({ id }) => id === 'ollama') ?? null
  const form = openForm(null, [], ollama)
  expect(screen.getByRole('link', { name: 'Get Ollama' }).getAttribute('href')).toBe(ollama?.page)
  expect(form.save()).toMatchObject({ id: 'ollama-2', label: 'Ollama', baseURL: 'http://127.0.0.1:11434/v1' })
})

test('UI-31 each known provider has a name of its own, a page of HTTPS, and an address unless its kind has one', () => {
  expect(new Set(KNOWN_PROVIDERS.map(({ label }) => label)).size).toBe(14)
  for (const { kind, baseURL, page, local } of KNOWN_PROVIDERS) {
    expect(page).toMatch(/^https:/)
    expect(baseURL === null).toBe(kind !== 'openai-compatible')
    if (baseURL !== null)
      expect(baseURL).toMatch(local ? /^http:\/\/127\.0\.0\.1:\d+\/v1$/ : /^https:.*\/v1$/)
  }
})

test('UI-31 a provider that the server refused was not entered: its next attempt is named anew', async () => {
  const form = openForm()
  form.enter('Name', 'First')
  form.save()
  await form.refuse('That name is taken.', 'id')
  form.enter('Name', 'Second')
  expect(form.save().id).toBe('second')
})

test.for([
  ['label', 'Name'],
  ['id', 'Name'],
  ['baseURL', 'Address'],
  ['apiKey', 'API key (if the server needs one)'],
  ['models', 'Model ids (optional)'],
  ['models.3', 'Model ids (optional)'],
] as const)('UI-31 a refusal at %s is shown at the field %s and at no other place', async ([path, label]) => {
  const form = openForm()
  form.save()
  await form.refuse('This value is wrong.', path)
  expect(screen.getAllByRole('alert')).toHaveLength(1)
  const invalid = document.querySelectorAll('[aria-invalid=true]')
  expect([...invalid]).toEqual([form.field(label)])
  expect(descriptionOf(form.field(label))).toContain('This value is wrong.')
})

test.for([['kind'], [undefined], ['unheard-of']] as const)(
  'UI-31 a refusal at %s, which is no field of the form, is shown above its buttons',
  async ([path]) => {
    const form = openForm()
    form.save()
    await form.refuse('This can’t be.', path)
    expect(screen.getByRole('alert').textContent).toBe('This can’t be.')
    expect(document.querySelector('[aria-invalid=true]')).toBeNull()
  },
)

test('UI-31 a server that is out of reach is named as that, nothing entered is lost, and the next attempt clears it', async () => {
  const form = openForm()
  form.enter('Name', 'Lab')
  form.save()
  await form.lose()
  expect(screen.getByRole('alert').textContent).toBe('The server can’t be reached.')
  expect(form.field('Name').value).toBe('Lab')
  form.save()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('UI-31 the outcome of an earlier test is gone as soon as the next one runs', async () => {
  const form = openForm()
  form.save()
  await form.answer({ ok: false, message: 'No answer.' })
  form.save()
  expect(status()).toBe('')
})

test('UI-31 Cancel closes the form before and after a test', async () => {
  const form = openForm()
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  form.save()
  await form.answer({ ok: false, message: 'No answer.' })
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(form.onClose).toHaveBeenCalledTimes(2)
})

test('UI-31 every kind of provider can be chosen, and only a server of one’s own needs an address', () => {
  const form = openForm()
  const options = [...form.field('Provider').querySelectorAll('option')].map(({ value }) => value)
  expect(options.toSorted()).toEqual([...PROVIDER_KINDS].toSorted())
  expect(options[0]).toBe('openai-compatible')
  for (const kind of ['openai', 'anthropic', 'google']) {
    form.enter('Provider', kind)
    expect(form.field(words.otherAddress).value).toBe('')
    expect(form.field(words.key)).toBeTruthy()
    expect(form.save()).toMatchObject({ kind, baseURL: null, id: kind })
  }
})

test('UI-31 another kind keeps what is entered', () => {
  const form = openForm()
  form.enter('Name', 'Lab')
  form.enter('Address', 'http://127.0.0.1:1/v1')
  form.enter(words.optionalKey, 'sk-1')
  form.enter('Provider', 'anthropic')
  expect(form.save()).toEqual({
    id: 'lab',
    kind: 'anthropic',
    label: 'Lab',
    baseURL: 'http://127.0.0.1:1/v1',
    apiKey: 'sk-1',
    models: [],
  })
})

test('UI-31 a stored key is not shown, is kept when none is entered, and its field says so', () => {
  const form = openForm(stored, ['mine'])
  const key = form.field(words.optionalKey)
  expect([key.value, key.type, key.autocomplete]).toEqual(['', 'password', 'new-password'])
  expect(descriptionOf(key)).toBe(words.keyKept)
  expect(form.save()).toEqual({
    id: 'mine',
    kind: 'openai-compatible',
    label: 'Mine',
    baseURL: 'http://127.0.0.1:9/v1',
    models: ['one', 'two'],
  })
})

test('UI-31 removing the stored key empties and closes its field, and taking that back opens it', () => {
  const form = openForm(stored, ['mine'])
  form.enter(words.optionalKey, 'half a key')
  const remove = screen.getByRole('checkbox', { name: words.removeKey })
  fireEvent.click(remove)
  expect(form.field(words.optionalKey)).toMatchObject({ value: '', disabled: true })
  expect(form.save()).toMatchObject({ id: 'mine', apiKey: null })
  fireEvent.click(remove)
  expect(form.field(words.optionalKey).disabled).toBe(false)
})

test('UI-31 a provider without a stored key has none to remove', () => {
  const form = openForm({ ...stored, hasKey: false }, ['mine'])
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(descriptionOf(form.field(words.optionalKey))).toBe(words.keyNote)
})

test('UI-31 the form is named after what it does, whatever the provider is called', () => {
  openForm()
  expect(screen.getByRole('form', { name: 'Add a provider' })).toBeTruthy()
  cleanup()
  openForm({ ...stored, label: '<script>1</script>' })
  expect(screen.getByRole('heading', { name: 'Edit <script>1</script>' })).toBeTruthy()
  expect(document.querySelector('script')).toBeNull()
})

test('UI-31 neither spelling nor completion touches addresses and ids', () => {
  const form = openForm()
  for (const name of ['Address', words.ids]) expect(form.field(name).getAttribute('spellcheck')).toBe('false')
  expect(form.field('Address').autocomplete).toBe('off')
  expect(form.field('Address').getAttribute('inputmode')).toBe('url')
})
