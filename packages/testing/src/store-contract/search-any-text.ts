import { searchWords } from '@palimpsest/core/domain'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newSession, type OpenFixture, turn } from './fixtures.ts'

/** Text of every script that people write, and any other sequence of characters. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom(
        'Straße',
        'ﬁnance',
        'Ἀθῆναι',
        'İstanbul',
        'naïve',
        'naïve',
        '日本語テキスト',
        '서울특별시',
        'กรุงเทพมหานคร',
        'القاهرة',
        'हिन्दी',
        '👩‍👩‍👧‍👦 family',
        'x²',
        '１２３',
        'snake_case_name',
        'kebab-case-name',
        'user@example.com',
        'C++ & C#',
        '"quoted" OR NEAR(a b)',
        'a\u0000b',
        '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
        'ჯორჯია',
        '𞤀𞤣𞤤𞤢𞤥',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((pieces) => pieces.join(' '))
  .filter((text) => searchWords(text).length > 0)

export function searchAnyTextContract(open: OpenFixture): void {
  test('DA-5 each word of any message, and each prefix of a word, finds it', async () => {
    await using fixture = await open()
    const { store } = fixture
    let messages = 0
    const picked = fc.tuple(anyText, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(picked, async ([text, place, share]) => {
        messages += 1
        const [session, id] = [`s${messages}`, `m${messages}`]
        await store.sessions.create(newSession(session))
        await turn(store, session, id, { question: text, answer: '!' })
        const words = searchWords(text)
        const word = words[place % words.length] ?? ''
        const characters = [...word]
        const beginning = characters.slice(0, Math.max(1, Math.ceil(share * characters.length))).join('')
        const upper = word.toUpperCase()
        const shouted = upper.toLowerCase() === word ? upper : word
        for (const asked of [word, beginning, shouted, `${words[0]} ${beginning}`]) {
          const { items } = await store.messages.search({ text: asked, limit: 5, sessionId: session })
          if (searchWords(asked).length === 0) continue
          expect({ asked, found: items.map(({ messageId }) => messageId) }).toEqual({ asked, found: [id] })
        }
      }),
      { numRuns: 150 },
    )
  }, 60_000)

  test('DA-5 words of scripts without spaces are found at any position, others from their beginning', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    await turn(store, 'a', 'm1', { question: '私は東京都に住んでいます。カタカナも書く', answer: 'notebook' })
    const found = async (text: string) =>
      (await store.messages.search({ text, limit: 5 })).items.map(({ messageId }) => messageId)
    for (const text of ['東京', '京都', '住んで', 'カナ', '書'])
      expect(await found(text), text).toEqual(['m1'])
    for (const text of ['note', 'noteb', 'NOTEBOOK']) expect(await found(text), text).toEqual(['m1a'])
    for (const text of ['book', '西京', 'notebooks']) expect(await found(text), text).toEqual([])
  })

  test('DA-5 a word is found however its sharp s or its final sigma is written, and marked as written', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a', { title: 'Große Pläne' }))
    const spellings = [
      ['Straße', 'STRASSE', 'strasse', 'STRAẞE', 'straß', 'stras'],
      ['ΟΔΟΣ', 'οδός', 'οδοσ', 'ὉΔΌΣ', 'οδοσ', 'ὁδ'],
    ]
    for (const [index, words] of spellings.entries()) {
      const written = words.slice(0, 4)
      for (const [at, word] of written.entries())
        await turn(store, 'a', `m${index}${at}`, { question: `(${word})`, answer: '!' })
      for (const text of words) {
        const { items } = await store.messages.search({ text, limit: 9 })
        const snippets = items.map(({ snippet }) => snippet).reverse()
        expect({ text, snippets }).toEqual({
          text,
          snippets: written.map((word) => `(\u0002${word}\u0003)`),
        })
      }
    }
    const list = { limit: 5, archived: false, ephemeral: false, search: 'GROSSE plane' }
    expect((await store.sessions.list(list)).items).toHaveLength(1)
  })

  test('DA-5 a query without letters and digits finds nothing and does not fail', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a', { title: '…' }))
    await turn(store, 'a', 'm1', { question: '🎉🎉 "" -- ()', answer: '*' })
    for (const text of [
      '🎉',
      '"',
      '""',
      '*',
      '-',
      '()',
      '^',
      ':',
      '{',
      '\u0000',
      '👩‍👩‍👧‍👦',
      '%',
      '_',
      "'",
      ' ',
    ]) {
      expect((await store.messages.search({ text, limit: 5 })).items, text).toEqual([])
      const list = await store.sessions.list({ limit: 5, archived: false, ephemeral: false, search: text })
      expect(list.items.length, text).toBeLessThanOrEqual(1)
    }
  })

  test('DA-5 a snippet marks the hit in the words as they were written, however long the text before it', async () => {
    await using fixture = await open()
    const { store } = fixture
    await store.sessions.create(newSession('a'))
    const written = fc.constantFrom('Zürich', 'ZEBRA', '東', 'café', 'naïve', 'ﬁne', 'Ω1')
    const filler = fc.constantFrom(' ', ' 👩‍👩‍👧‍👦 ', ' über ', '\n\n', ' \u0002x\u0003 ', ' … ')
    let messages = 0
    await fc.assert(
      fc.asyncProperty(written, filler, fc.nat({ max: 120 }), async (word, between, times) => {
        messages += 1
        await turn(store, 'a', `m${messages}`, {
          question: `${between.repeat(times)} ${word} ${between.repeat(times)}`,
          answer: '!',
        })
        const { items } = await store.messages.search({ text: word, limit: 50 })
        const hit = items.find(({ messageId }) => messageId === `m${messages}`)
        expect(hit?.snippet).toContain(`\u0002${word}\u0003`)
        expect(hit?.snippet.split('\u0002').length).toBe(hit?.snippet.split('\u0003').length)
      }),
      { numRuns: 40 },
    )
  })
}
