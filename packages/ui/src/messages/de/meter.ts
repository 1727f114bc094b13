import type { findWords } from '../en-find.ts'
import type { meterWords } from '../en-meter.ts'
import type { Translation } from '../translation.ts'
import { quoted } from './german.ts'

/** German texts of the context meter and its breakdown. */
export const germanMeter: Translation<typeof meterWords> = {
  label: 'Kontextfenster',
  text: (percent, used, limit) => `${percent} belegt: ${used} von ${limit} Token`,
  textUnknown: (used) => `${used} Token belegt, Grenze unbekannt`,
  heading: 'Kontextfenster',
  share: (percent, limit) => `${percent} von ${limit}`,
  used: 'Belegt',
  reserve: 'Reserviert für die Antwort',
  free: 'Frei',
  limit: 'Grenze',
  unknown: 'unbekannt',
  estimated: 'Teils geschätzt, bis der Anbieter seine Zählung meldet.',
  content: 'Token nach Art des Inhalts',
  kinds: {
    instructions: 'Anweisungen und Werkzeuge',
    summary: 'Zusammenfassung',
    prompts: 'Eigene Nachrichten',
    replies: 'Antworten',
    reasoning: 'Gedanken',
    tools: 'Werkzeugaufrufe',
    files: 'Dateien',
    writing: 'Laufende Antwort',
  },
  sentence: {
    firstMessage: (percent) => `Die erste Nachricht belegt ${percent}.`,
    message: (text, percent) => `Die Nachricht ${quoted(text)} belegt ${percent}.`,
    firstReply: (percent) => `Die erste Antwort belegt ${percent}.`,
    reply: (text, percent) => `Die Antwort ${quoted(text)} belegt ${percent}.`,
    instructions: (percent) => `Anweisungen und Werkzeuge belegen ${percent}.`,
    summary: (percent) => `Die Zusammenfassung belegt ${percent}.`,
    spread: (percent) => `Keine Nachricht belegt mehr als ${percent}.`,
  },
  heaviest: 'Größte Nachrichten',
  by: { user: 'Frage:', assistant: 'Antwort:' },
  leaveOut: 'Auslassen',
  leaveOutOf: (text) => `${quoted(text)} auslassen`,
  numbers: 'Alle Zahlen',
  session: 'Dieser Chat bisher',
  cost: 'Kosten',
  cacheShare: 'Eingabe aus dem Cache',
}

const found = (total: number, count: string, more: boolean) =>
  `${count} ${total === 1 ? 'Nachricht' : 'Nachrichten'}${more ? ' oder mehr' : ''}`

/** German texts of find in a thread. */
export const germanFind: Translation<typeof findWords> = {
  label: 'In diesem Chat suchen',
  field: 'In diesem Chat suchen',
  placeholder: 'In diesem Chat suchen',
  previous: 'Voriger Treffer',
  next: 'Nächster Treffer',
  list: 'Alle Treffer',
  matches: 'Treffer',
  close: 'Schließen',
  searching: 'Wird gesucht …',
  failed: 'Die Suche ist fehlgeschlagen. Mit anderen Worten erneut versuchen.',
  none: 'Keine Treffer',
  found,
  position: (at, total, count, more) => `${at} von ${found(total, count, more)}`,
  within: (at, total) => `Treffer ${at} von ${total}`,
  layers: { hidden: 'Ausgeblendet', summarised: 'Zusammengefasst' },
  you: 'Frage',
  reply: 'Antwort',
}
