import { lazyModule } from '../lazy/lazy-module.ts'

/** Every popup, loaded lazily: none is needed before the first interaction. */
export const popupLayers = lazyModule(async () => {
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
