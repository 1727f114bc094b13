/** What a notification says, and what a press on it does. `tag` makes that of another tab replace it. */
export type Told = { tag: string; title: string; body: string; onPress: () => void }

/** Shows a notification of the browser, where it allows that. */
export function notify({ tag, title, body, onPress }: Told): void {
  if (typeof Notification === 'undefined' || Notification.permission !== 'granted') return
  try {
    const notification = new Notification(title, { tag, body, icon: '/icon.svg' })
    notification.onclick = () => {
      window.focus()
      onPress()
      notification.close()
    }
  } catch {
    // Some browsers of phones have the constructor and refuse to call it.
  }
}

/** Whether the person looks at this tab. */
export function isLookedAt(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus()
}

/** Milliseconds in which another tab says that the person sees the chat there. */
const SEEN_WITHIN_MS = 200

/** The tabs of this browser, which ask each other whether a chat is in view. */
export function otherTabs(isSeenHere: (sessionId: string) => boolean) {
  const channel = new BroadcastChannel('palimpsest.attention')
  const seen = new Set<string>()
  channel.onmessage = ({ data }: MessageEvent<{ ask?: string; seen?: string }>) => {
    if (data.seen !== undefined) seen.add(data.seen)
    if (data.ask !== undefined && isSeenHere(data.ask)) channel.postMessage({ seen: data.ask })
  }
  return {
    /** Calls back unless the person sees the session in some tab. */
    unlessSeen(sessionId: string, tell: () => void): void {
      if (isSeenHere(sessionId)) return
      seen.delete(sessionId)
      channel.postMessage({ ask: sessionId })
      setTimeout(() => seen.has(sessionId) || tell(), SEEN_WITHIN_MS)
    },
    close: () => channel.close(),
  }
}

/** A number on the icon of the installed app, and a dot on that of the tab; neither for 0. */
export function markIcons(count: number): void {
  if ('setAppBadge' in navigator)
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined)
  void markTab(count > 0)
}

let plain: { href: string; svg: string } | null = null

async function markTab(marked: boolean): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel~=icon][type="image/svg+xml"]')
  if (link === null || (plain === null && !marked)) return
  try {
    plain ??= { href: link.href, svg: await (await fetch(link.href)).text() }
  } catch {
    return
  }
  link.href = marked
    ? `data:image/svg+xml,${encodeURIComponent(plain.svg.replace('</svg>', `${DOT}</svg>`))}`
    : plain.href
}

const DOT = '<circle cx="18.5" cy="5.5" r="5.5" fill="#b5391b" stroke="#faf7f1" stroke-width="1.5"/>'
