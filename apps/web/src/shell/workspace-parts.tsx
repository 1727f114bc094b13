import { lazyModule, useHeldKeys, useLazy } from '@palimpsest/ui'
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
  return parts && <parts.ComparePage {...props} />
}

export function InspectPage(props: InspectPageProps) {
  const parts = useLazy(inspectParts)
  return parts && <parts.InspectPage {...props} />
}

export function SettingsPage(props: SettingsPageProps) {
  const parts = useLazy(settingsParts)
  return parts && <parts.SettingsPage {...props} />
}
