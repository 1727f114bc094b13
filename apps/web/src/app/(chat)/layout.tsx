import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { ChatApp } from '../../shell/chat-app.tsx'
import { acceptedLanguages, languageOf, readLanguageChoice } from '../../stores/language-choice.ts'
import {
  LANGUAGE_COOKIE,
  readSidebarCollapsed,
  readTheme,
  SIDEBAR_COOKIE,
  THEME_COOKIE,
} from '../../stores/preferences.ts'

/** The chat is rendered here and not in the pages, so that it stays mounted when the address changes. */
export default async function ChatLayout({ children }: { children: ReactNode }) {
  const jar = await cookies()
  const accepted = acceptedLanguages((await headers()).get('accept-language'))
  const language = languageOf(readLanguageChoice(jar.get(LANGUAGE_COOKIE)?.value), accepted)
  return (
    <ChatApp
      theme={readTheme(jar.get(THEME_COOKIE)?.value)}
      language={language}
      sidebarCollapsed={readSidebarCollapsed(jar.get(SIDEBAR_COOKIE)?.value)}
    >
      {children}
    </ChatApp>
  )
}
