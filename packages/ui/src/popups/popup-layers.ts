import { lateModule } from '../late/late-module.ts'

/** All that opens over the page. Nothing of it is needed before a person does something. */
export const popupLayers = lateModule(async () => {
  const [menu, PopoverLayer, TooltipLayer, DialogLayer, DrawerLayer] = await Promise.all([
    import('./menu-layer.tsx').then(({ MenuLayer, MenuLayerItem, MenuLayerSeparator, SubMenuLayer }) => ({
      MenuLayer,
      MenuLayerItem,
      MenuLayerSeparator,
      SubMenuLayer,
    })),
    import('./popover-layer.tsx').then((module) => module.PopoverLayer),
    import('./tooltip-layer.tsx').then((module) => module.TooltipLayer),
    import('./dialog-layer.tsx').then((module) => module.DialogLayer),
    import('./drawer-layer.tsx').then((module) => module.DrawerLayer),
  ])
  return { ...menu, PopoverLayer, TooltipLayer, DialogLayer, DrawerLayer }
})
