import { createContext, type ReactNode, use, useMemo } from 'react'
import { createFormat, type Format } from '../format/format.ts'
import { en, type Messages } from './en.ts'

type Locale = { messages: Messages; format: Format }

const LocaleContext = createContext<Locale>({
  messages: en,
  format: createFormat('en'),
})

export type MessagesProviderProps = {
  messages: Messages
  /** BCP 47 tag for dates and numbers. */
  locale: string
  children: ReactNode
}

/** Gives the components below it their words, and their dates and numbers. English without it. */
export function MessagesProvider({ messages, locale, children }: MessagesProviderProps) {
  const value = useMemo(() => ({ messages, format: createFormat(locale) }), [messages, locale])
  return <LocaleContext value={value}>{children}</LocaleContext>
}

export function useMessages(): Messages {
  return use(LocaleContext).messages
}

export function useFormat(): Format {
  return use(LocaleContext).format
}
