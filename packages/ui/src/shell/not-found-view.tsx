import type { pageWords } from '../messages/en-pages.ts'

export type NotFoundProps = { homeHref: string }

/** The page of an unknown address or a deleted session, with words that are given. */
export function NotFoundView({ homeHref, words }: NotFoundProps & { words: (typeof pageWords)['notFound'] }) {
  return (
    <div className="flex grow flex-col items-center justify-center gap-3 p-6 text-center">
      <p
        aria-hidden
        className="font-text text-display leading-none text-faint line-through decoration-rubric decoration-2"
      >
        404
      </p>
      <h1 className="font-text text-title font-medium">{words.title}</h1>
      <p className="text-muted">{words.body}</p>
      <a
        href={homeHref}
        className="mt-2 inline-flex h-control items-center rounded-md bg-ink px-3.5 font-medium text-inverse hover:opacity-90"
      >
        {words.home}
      </a>
    </div>
  )
}
