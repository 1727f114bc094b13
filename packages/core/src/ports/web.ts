/** What a page is read as. */
export type PageFormat = 'markdown' | 'text' | 'html'

export type FetchedPage =
  /** `text` is at most 200 KB; `truncated` when there is more. */
  | { type: 'page'; url: string; status: number; text: string; truncated: boolean }
  /** It leads to another host or port, which was not called. */
  | { type: 'redirect'; url: string; to: string }

/** Pages of the public web. */
export interface WebPages {
  /**
   * Reads the page at an address of http or https. Fails with `INVALID_INPUT` for an address that is not public, for what is
   * no text, too large or too slow, for a redirect from https to http, and when the host does not answer.
   */
  fetch(url: string, format: PageFormat, signal: AbortSignal): Promise<FetchedPage>
}

/** One result of a search of the web. */
export type WebResult = { title: string; url: string; snippet: string }

/** The search service that the operator has configured. */
export interface WebSearch {
  /** The host that is called, as rules name it: with its port unless that is the scheme's own. */
  readonly host: string
  /**
   * At most 10 results. Fails with `INVALID_INPUT` when the service does not answer, refuses the request, or its answer cannot be
   * read; the message holds no key.
   */
  search(query: string, signal: AbortSignal): Promise<WebResult[]>
}
