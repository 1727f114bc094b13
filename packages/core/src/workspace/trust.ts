import { AppError } from '../domain/errors.ts'
import { isObject } from '../domain/json/stored-keys.ts'
import { sha256 } from '../domain/values/sha256.ts'
import type { Clock, Store } from '../ports/index.ts'

/** What a repository may bring that acts: it counts only once a person has consented to its content. */
export type TrustKind = 'agent' | 'hook' | 'mcp' | 'rule'

/** One thing that a repository brings. `content` is all that decides about what it does. */
export type TrustItem = {
  kind: TrustKind
  /** Real path of the folder whose repository brings it. */
  root: string
  /** Its file, or its place in a file, for a person. */
  path: string
  content: string
}

export type Consent = { digest: string; kind: string; root: string; path: string; createdAt: number }

/** Consents to what repositories bring, one for each content: a change of the content needs another one. */
export interface Trust {
  /** SHA-256 of kind, folder, path and content. */
  digestOf(item: TrustItem): Promise<string>
  /** The items with a consent, in their order. */
  trusted<Item extends TrustItem>(items: readonly Item[]): Promise<Item[]>
  /** Records the consent of a person. `RATE_LIMITED` when there are 1,000. */
  grant(item: TrustItem): Promise<Consent>
  /** False when there is none. */
  revoke(digest: string): Promise<boolean>
  /** The oldest first. */
  consents(): Promise<Consent[]>
}

const MAX_CONSENTS = 1_000
const PREFIX = 'consent:'

export function createTrust({
  store: { settings },
  clock,
}: {
  store: Pick<Store, 'settings'>
  clock: Clock
}): Trust {
  async function consents(): Promise<Consent[]> {
    const values = await settings.values()
    return [...values]
      .flatMap(([key, value]) => (key.startsWith(PREFIX) ? toConsent(key.slice(PREFIX.length), value) : []))
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.digest < b.digest ? -1 : 1))
  }

  return {
    digestOf,
    consents,
    async trusted(items) {
      if (items.length === 0) return []
      const granted = new Set((await consents()).map(({ digest }) => digest))
      const digests = await Promise.all(items.map(digestOf))
      return items.filter((_, index) => granted.has(digests[index] ?? ''))
    },
    async grant(item) {
      const digest = await digestOf(item)
      const known = await consents()
      const same = known.find((one) => one.digest === digest)
      if (same !== undefined) return same
      if (known.length >= MAX_CONSENTS)
        throw new AppError('RATE_LIMITED', `There are ${MAX_CONSENTS} consents: withdraw some first.`)
      const { kind, root, path } = item
      const createdAt = clock.now()
      await settings.setValues(new Map([[PREFIX + digest, { kind, root, path, createdAt }]]), createdAt)
      return { digest, kind, root, path, createdAt }
    },
    async revoke(digest) {
      const known = await consents()
      if (!known.some((one) => one.digest === digest)) return false
      await settings.setValues(new Map([[PREFIX + digest, null]]), clock.now())
      return true
    },
  }
}

async function digestOf({ kind, root, path, content }: TrustItem): Promise<string> {
  return await sha256(JSON.stringify([kind, root, path, content]))
}

/** None for what is stored in another shape. */
function toConsent(digest: string, value: unknown): Consent[] {
  if (!isObject(value)) return []
  const { kind, root, path, createdAt } = value
  if (typeof kind !== 'string' || typeof root !== 'string' || typeof path !== 'string') return []
  return [{ digest, kind, root, path, createdAt: typeof createdAt === 'number' ? createdAt : 0 }]
}
