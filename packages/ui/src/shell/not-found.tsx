import { useMessages } from '../messages/messages-context.tsx'

export type NotFoundProps = { homeHref: string }

/** The page of an unknown address or a deleted session. */
export function NotFound({ homeHref }: NotFoundProps) {
  const { notFound } = useMessages()
  return (
    <div className="flex grow flex-col items-center justify-center gap-3 p-6 text-center">
      <p
        aria-hidden
        className="font-text text-display leading-none text-faint line-through decoration-rubric decoration-2"
      >
        404
      </p>
      <h1 className="font-text text-title font-medium">{notFound.title}</h1>
      <p className="text-muted">{notFound.body}</p>
      <a
        href={homeHref}
        className="mt-2 inline-flex h-control items-center rounded-md bg-ink px-3.5 font-medium text-inverse hover:opacity-90"
      >
        {notFound.home}
      </a>
    </div>
  )
}
