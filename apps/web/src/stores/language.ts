import { en, lazyModule, type Messages, whenLoaded } from '@palimpsest/ui'
import { createStore, type WatchedStore } from '../state/create-store.ts'
import { setTranslations } from '../words/in-language.ts'
import { type Language, type LanguageChoice, languageOf } from './language-choice.ts'
import { keepPreference, LANGUAGE_COOKIE } from './preferences.ts'

/** `messages` is null until the texts of the language are loaded. */
export type Spoken = { language: Language; messages: Messages | null }

export type LanguageStore = {
  readonly state: WatchedStore<Spoken>
  /** Loads the texts of the language that the page began with. */
  begin(): Promise<void>
  /** Shows the page in a language, now and on the next visit. */
  choose(choice: LanguageChoice): Promise<void>
  /** True once after a choice: the page is drawn anew, and the field that was used gets the focus back. */
  takeFocus(): boolean
}

const germanWords = lazyModule(() => import('../words/de/index.ts'))

export function createLanguage(initial: Language): LanguageStore {
  const state = createStore<Spoken>({ language: initial, messages: initial === 'en' ? en : null })
  let wantsFocus = false
  let asked = 0

  async function speak(language: Language): Promise<void> {
    const order = ++asked
    const words = language === 'de' ? await whenLoaded(germanWords) : { messages: en, translations: {} }
    // Another language was chosen while this one was loading.
    if (order !== asked) return
    setTranslations(words.translations)
    document.documentElement.lang = language
    state.set({ language, messages: words.messages })
  }

  return {
    state,
    begin: () => speak(initial),
    async choose(choice) {
      keepPreference(LANGUAGE_COOKIE, choice)
      document.documentElement.dataset['language'] = choice
      wantsFocus = true
      await speak(languageOf(choice, navigator.languages))
    },
    takeFocus() {
      const wanted = wantsFocus
      wantsFocus = false
      return wanted
    },
  }
}
