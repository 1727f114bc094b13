/** A page of a list, and where the next one begins; null on the last. */
export type Page<T> = { items: T[]; nextCursor: string | null }
