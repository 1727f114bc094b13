import { lazyModule, useHeldKeys, useLazy } from '@palimpsest/ui'
import type { ComparePageProps } from '../compare/compare-page.tsx'
import type { AddModelDialogProps } from '../model/add-model-dialog.tsx'
import type { PalettePanelProps } from '../palette/palette-panel.tsx'

/** What opens over any page. */
export const workspaceParts = lazyModule(async () => {
  const [PalettePanel, AddModelDialog] = await Promise.all([
    import('../palette/palette-panel.tsx').then((module) => module.PalettePanel),
    import('../model/add-model-dialog.tsx').then((module) => module.AddModelDialog),
  ])
  return { PalettePanel, AddModelDialog }
})

const compareParts = lazyModule(() => import('../compare/compare-page.tsx'))

export function PalettePanel(props: PalettePanelProps) {
  useHeldKeys(props.open)
  const parts = useLazy(workspaceParts, props.open)
  return parts && <parts.PalettePanel {...props} />
}

export function AddModelDialog(props: AddModelDialogProps) {
  useHeldKeys(props.open)
  const parts = useLazy(workspaceParts, props.open)
  return parts && <parts.AddModelDialog {...props} />
}

export function ComparePage(props: ComparePageProps) {
  const parts = useLazy(compareParts)
  return parts && <parts.ComparePage {...props} />
}
