import { IconButton, SidebarOpener } from '@palimpsest/ui'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWorkspace } from '../list/workspace-context.tsx'
import { SETTINGS_SECTIONS, type SettingsSection } from '../stores/route.ts'
import { isTyping } from '../stores/shortcuts.ts'
import { useDocumentTitle } from '../stores/use-document-title.ts'
import { useShortcuts } from '../stores/use-shortcuts.ts'
import { settingsWords as words } from '../words/en-settings.ts'
import { AboutSection } from './about-section.tsx'
import { AgentsSection } from './agents-section.tsx'
import { DataSection } from './data-section.tsx'
import { GeneralSection } from './general-section.tsx'
import { HooksSection } from './hooks-section.tsx'
import { McpSection } from './mcp-section.tsx'
import { MemorySection } from './memory-section.tsx'
import { ModelsSection } from './models-section.tsx'
import { PermissionsSection } from './permissions-section.tsx'
import { ShortcutsSection } from './shortcuts-section.tsx'
import { SkillsSection } from './skills-section.tsx'

export type SettingsPageProps = { section: SettingsSection }

const SECTIONS = {
  models: ModelsSection,
  general: GeneralSection,
  memory: MemorySection,
  permissions: PermissionsSection,
  mcp: McpSection,
  hooks: HooksSection,
  agents: AgentsSection,
  skills: SkillsSection,
  data: DataSection,
  shortcuts: ShortcutsSection,
  about: AboutSection,
}

/** The settings: a section at a time, each at its own address. */
export function SettingsPage({ section }: SettingsPageProps) {
  const { leaveSettings } = useWorkspace()
  const Section = SECTIONS[section]
  useDocumentTitle(`${words.sections[section]} · ${words.title}`)
  // A text that is being entered stays.
  const when = () => !isTyping(document.activeElement)
  useShortcuts([{ keys: 'esc', label: words.close, run: leaveSettings, when }])
  return (
    <>
      <header className="flex h-header shrink-0 items-center gap-2 px-3">
        <SidebarOpener />
        <h1 className="min-w-0 grow truncate px-2.5 font-medium">{words.title}</h1>
        <IconButton label={words.close} tooltipSide="bottom" onClick={leaveSettings}>
          <X aria-hidden size={17} />
        </IconButton>
      </header>
      <div className="flex min-h-0 grow flex-col gap-x-8 overflow-y-auto px-3 md:flex-row md:px-5">
        <Sections current={section} />
        <div className="w-full max-w-column grow px-2.5 pt-4 pb-16 md:pt-1">
          <h2 className="mb-5 font-text text-title leading-tight">{words.sections[section]}</h2>
          <Section />
        </div>
      </div>
    </>
  )
}

function Sections({ current }: { current: SettingsSection }) {
  const nav = useRef<HTMLElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  // On narrow screens the sections are a row that scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section moves the row
  useEffect(() => {
    if (nav.current === null || link.current === null) return
    const { offsetLeft, offsetWidth } = link.current
    nav.current.scrollLeft = offsetLeft - (nav.current.clientWidth - offsetWidth) / 2
  }, [current])
  useEffect(() => {
    // What opened the settings may be gone, as the composer is.
    if (document.activeElement === document.body) link.current?.focus({ preventScroll: true })
  }, [])
  return (
    <nav
      ref={nav}
      aria-label={words.title}
      className="sticky top-0 z-10 flex shrink-0 gap-0.5 overflow-x-auto bg-paper py-1 md:w-40 md:flex-col md:self-start md:overflow-visible"
    >
      {SETTINGS_SECTIONS.map((section) => (
        <a
          key={section}
          href={`/settings/${section}`}
          {...(section === current && { ref: link, 'aria-current': 'page' as const })}
          className="flex h-control shrink-0 items-center rounded-md px-2.5 text-muted transition hover:bg-wash hover:text-ink aria-[current]:bg-wash-strong aria-[current]:text-ink"
        >
          {words.sections[section]}
        </a>
      ))}
    </nav>
  )
}
