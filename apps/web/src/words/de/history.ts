import { format, plural, type Translation } from '@palimpsest/ui/de'
import type { historyWords } from '../en-history.ts'

/** German texts of the pages about history. */
export const history: Translation<typeof historyWords> = {
  replying: 'Eine Antwort läuft.',
  summarising: 'Frühere Nachrichten werden zusammengefasst.',
  stopAndGoOn: 'Stoppen und fortfahren',
  undo: 'Rückgängig',
  queueRemoved: 'Aus der Warteschlange entfernt.',
  cancelled: { heading: 'Aus der Warteschlange entfernt', restore: 'Zurückholen', more: 'Mehr zeigen' },
  back: 'Zurück',
  branched: 'Dies ist ein neuer Zweig. Der ursprüngliche Chat ist unverändert.',
  nothingToFree: 'Es gibt keine großen alten Werkzeugergebnisse auszulassen.',
  leftOut: (tokens) => `Das Modell liest diese Nachricht nicht mehr: ${format.tokens(tokens)} Token weniger.`,
  freed: (outputs, tokens) =>
    `${plural(outputs, 'altes Werkzeugergebnis', 'alte Werkzeugergebnisse')} ausgelassen: ${format.tokens(tokens)} Token weniger.`,
  summarised: (messages, before, after) =>
    `${plural(messages, 'frühere Nachricht', 'frühere Nachrichten')} zusammengefasst: ${format.tokens(before)} → ${format.tokens(after)} Token.`,
  filesRestored: (count) => `${plural(count, 'Datei ist', 'Dateien sind')} wiederhergestellt.`,
  filesLeft:
    'Der Chat hat sich geändert, aber nicht alle Dateien konnten wiederhergestellt werden. Der Grund steht im Protokoll des Servers. Es lässt sich rückgängig machen.',
  kept: 'Als Zweig behalten.',
  open: 'Öffnen',
  messageNotHere: 'Diese Nachricht ist nicht in diesem Chat.',
  nothingToRewind: 'Es gibt noch keine Nachricht zum Zurückspulen.',
  nothingToBranch: 'Es gibt noch keine Nachricht zum Verzweigen.',
  nothingToCompare: 'Es gibt noch keinen Zweig zum Vergleichen. Zuerst an einer Nachricht verzweigen.',
  ways: {
    find: 'In diesem Chat suchen',
    side: 'Nebenfrage',
    tree: 'Zweige dieses Chats',
    timeline: 'Zeitleiste',
    rail: 'Verlaufsleiste zeigen',
    hideRail: 'Verlaufsleiste ausblenden',
  },
  group: 'Verlauf',
  commands: {
    find: 'In diesem Chat suchen',
    rewind: 'Zu einer Nachricht zurückspulen',
    branch: 'An der letzten Nachricht verzweigen',
    compact: 'Gespräch zusammenfassen',
    prune: 'Alte Werkzeugergebnisse auslassen',
    timeline: 'Zeitleiste dieses Chats',
    tree: 'Alle Zweige dieses Chats',
    compare: 'Mit einem anderen Zweig vergleichen',
    side: 'Nebenfrage',
  },
  keys: {
    heading: 'Verlauf',
    find: 'In diesem Chat suchen (nochmals: Suche des Browsers)',
    rewind: 'Zurückspulen (zweimal, wenn nichts läuft)',
    timeline: 'Zeitleiste',
    tree: 'Alle Zweige',
    side: 'Nebenfrage',
    versions: 'Andere Version (an einem Versionswechsel)',
  },
}
