import { BareBar, lazyModule, useHeldKeys, useLazy, useMessages } from '@palimpsest/ui'
import type { ComparePageProps } from '../compare/compare-page.tsx'
import type { InspectPageProps } from '../inspect/inspect-page.tsx'
import type { PalettePanelProps } from '../palette/palette-panel.tsx'
import type { SettingsPageProps } from '../settings/settings-page.tsx'
import type { ShortcutsHelpProps } from './shortcuts-help.tsx'

/** What opens over any page. */
export const workspaceParts = lazyModule(async () => {
  const [PalettePanel, ShortcutsHelp] = await Promise.all([
    import('../palette/palette-panel.tsx').then((module) => module.PalettePanel),
    import('./shortcuts-help.tsx').then((module) => module.ShortcutsHelp),
  ])
  return { PalettePanel, ShortcutsHelp }
})

const compareParts = lazyModule(() => import('../compare/compare-page.tsx'))
const inspectParts = lazyModule(() => import('../inspect/inspect-page.tsx'))
const settingsParts = lazyModule(() => import('../settings/settings-page.tsx'))

export function PalettePanel(props: PalettePanelProps) {
  useHeldKeys(props.open)
  const parts = useLazy(workspaceParts, props.open)
  return parts && <parts.PalettePanel {...props} />
}

export function ShortcutsHelp(props: ShortcutsHelpProps) {
  useHeldKeys(props.open)
  const parts = useLazy(workspaceParts, props.open)
  return parts && <parts.ShortcutsHelp {...props} />
}

export function ComparePage(props: ComparePageProps) {
  const parts = useLazy(compareParts)
  return parts === null ? <PageSkeleton /> : <parts.ComparePage {...props} />
}

export function InspectPage(props: InspectPageProps) {
  const parts = useLazy(inspectParts)
  return parts === null ? <PageSkeleton /> : <parts.InspectPage {...props} />
}

export function SettingsPage(props: SettingsPageProps) {
  const parts = useLazy(settingsParts)
  return parts === null ? <PageSkeleton /> : <parts.SettingsPage {...props} />
}

/** The shape of a page until its code has loaded. */
function PageSkeleton() {
  const { app } = useMessages()
  return (
    <>
      <BareBar />
      <div role="status" aria-label={app.loading} className="flex grow gap-8 px-5.5 md:px-7.5">
        <div className="w-35 shrink-0 space-y-4 pt-3 max-md:hidden">
          {['w-20', 'w-24', 'w-28', 'w-16', 'w-24', 'w-20'].map((width, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change places
            <div key={line} className={`skeleton h-4 ${width}`} />
          ))}
        </div>
        <div className="max-w-column grow space-y-5 pt-14 md:pt-2">
          <div className="skeleton h-7 w-40" />
          <div className="skeleton h-4 w-full" />
          <div className="skeleton h-9 w-full" />
          <div className="skeleton h-4 w-3/5" />
          <div className="skeleton h-24 w-full" />
        </div>
      </div>
    </>
  )
}
