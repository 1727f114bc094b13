const WIDTHS = ['w-3/4', 'w-1/2', 'w-5/6', 'w-2/3', 'w-3/5', 'w-4/5', 'w-2/5']

/** Rows in the place and size of the sessions to come. */
export function SidebarSkeleton() {
  return (
    <div aria-hidden className="px-2.5 pt-1">
      {WIDTHS.map((width) => (
        <div key={width} className="flex h-8 items-center">
          <div className={`skeleton h-3 ${width}`} />
        </div>
      ))}
    </div>
  )
}
