import { SidebarOpener } from './sidebar-opener.tsx'

/** The bar of a page without a title; it has only the button that opens the sidebar. */
export function BareBar() {
  return (
    <div className="flex h-header shrink-0 items-center px-3">
      <SidebarOpener />
    </div>
  )
}
