import { lazyModule } from '../lazy/lazy-module.ts'
import { useLazy } from '../lazy/use-lazy.ts'
import type { ToastLayerProps } from './toast-layer.tsx'

/** The toasts, loaded lazily: hardly one is shown before the first interaction. */
export const toastLayer = lazyModule(() => import('./toast-layer.tsx').then((module) => module.ToastLayer))

/** Short notes above the conversation, announced politely. F6 moves the focus to them. */
export function ToastRegion(props: ToastLayerProps) {
  const Layer = useLazy(toastLayer, props.toasts.length > 0)
  return Layer && <Layer {...props} />
}
