/** The look of the page; the page stores the choice and sets `data-theme` on the root element. */
export type Theme = 'system' | 'light' | 'dark'
