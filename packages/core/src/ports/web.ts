/** What a page is read as. */
export type PageFormat = 'markdown' | 'text' | 'html'

export type FetchedPage =
  /** `text` is at most 200 KB; `truncated` when there is more. */
  | { type: 'page'; url: string; status: number; text: string; truncated: boolean }
  /** It leads to another host, which was not called. */
  | { type: 'redirect'; url: string; to: string }

/** Pages of the public web. */
export interface WebPages {
  /**
   * Reads the page at an address of http or https. Fails with `INVALID_INPUT` for an address that is not public, for what is
   * no text, too large or too slow, and when the host does not answer.
   */
  fetch(url: string, format: PageFormat, signal: AbortSignal): Promise<FetchedPage>
}
