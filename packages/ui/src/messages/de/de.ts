import { BIN_DAYS } from '@palimpsest/core/domain'
import { en, type Messages } from '../en.ts'
import { complete, type Translation } from '../translation.ts'
import { germanAsks, germanBudget, germanDiff, germanExact, germanMode } from './asks.ts'
import { germanBranches } from './branches.ts'
import { plural } from './german.ts'
import { germanHistory } from './history.ts'
import { germanMessages } from './message.ts'
import { germanFind, germanMeter } from './meter.ts'
import { germanPages } from './pages.ts'
import { germanMarkdown, germanTools } from './parts.ts'

/** German texts of every component. */
export const german: Translation<Messages> = {
  ...germanPages,
  ...germanMessages,
  ask: germanAsks,
  exact: germanExact,
  diff: germanDiff,
  mode: germanMode,
  budget: germanBudget,
  tool: germanTools,
  markdown: germanMarkdown,
  meter: germanMeter,
  find: germanFind,
  history: { ...germanHistory, ...germanBranches },
  app: {
    name: 'Palimpsest',
    skipToContent: 'Zum Gespräch springen',
    cancel: 'Abbrechen',
    copy: 'Kopieren',
    copied: 'Kopiert',
    loading: 'Wird geladen',
    keys: { mod: 'Strg', ctrl: 'Strg', shift: 'Umschalt', alt: 'Alt', enter: 'Eingabe', esc: 'Esc' },
  },
  sidebar: {
    label: 'Chats',
    open: 'Seitenleiste öffnen',
    close: 'Seitenleiste schließen',
    newChat: 'Neuer Chat',
    more: 'Weitere Listen und Hilfe',
    commands: 'Befehle',
    help: 'Tastenkürzel',
    search: 'Chats durchsuchen',
    clearSearch: 'Suche leeren',
    showArchived: 'Archivierte Chats zeigen',
    showActive: 'Zurück zu den aktiven Chats',
    archivedHeading: 'Archiviert',
    actionsFor: (title) => `Aktionen für ${title}`,
    rename: 'Umbenennen',
    renameLabel: 'Name des Chats',
    archive: 'Archivieren',
    unarchive: 'Aus dem Archiv holen',
    delete: 'Löschen …',
    loadMore: 'Ältere Chats zeigen',
    empty: 'Noch keine Chats',
    emptyHint: 'Chats erscheinen hier.',
    emptyArchive: 'Nichts archiviert',
    emptyArchiveHint: 'Archivierte Chats bleiben hier, bis sie zurückgeholt werden.',
    noMatches: (query) => `Nichts gefunden zu „${query}“`,
    noMatchesHint: 'Gesucht wird in Titeln und Nachrichten.',
    results: (count) => plural(count, 'Chat gefunden', 'Chats gefunden'),
    branchOf: 'Zweig',
    today: 'Heute',
    yesterday: 'Gestern',
    previousWeek: 'Letzte 7 Tage',
    previousMonth: 'Letzte 30 Tage',
  },
  bin: {
    show: 'Gelöschte Chats zeigen',
    heading: 'Papierkorb',
    note: `Chats bleiben ${BIN_DAYS} Tage hier, dann werden sie endgültig gelöscht.`,
    deletedOn: (date, days) =>
      `Gelöscht ${date} · ${days <= 0 ? 'wird bald endgültig gelöscht' : `noch ${plural(days, 'Tag', 'Tage')}`}`,
    restore: (title) => `${title} wiederherstellen`,
    purge: (title) => `${title} endgültig löschen …`,
    empty: 'Der Papierkorb ist leer',
    emptyHint: `Gelöschte Chats bleiben ${BIN_DAYS} Tage hier und lassen sich wiederherstellen.`,
  },
  status: {
    running: 'Läuft',
    waiting: 'Wartet auf eine Entscheidung',
    retrying: 'Neuer Versuch',
    error: 'Fehlgeschlagen',
  },
  header: {
    rename: 'Chat umbenennen',
    actions: 'Aktionen des Chats',
    copyLink: 'Link kopieren',
    export: 'Exportieren',
    archived: 'Archiviert',
    workspace: (path, keepsFiles) =>
      keepsFiles
        ? `Arbeitet in ${path}. Zurückspulen stellt auch die Dateien dort wieder her.`
        : `Arbeitet in ${path}`,
  },
  connection: {
    offline: 'Keine Internetverbindung. Nichts geht verloren; mit der Verbindung geht es weiter.',
    reconnecting: 'Verbindung wird wiederhergestellt. Nichts geht verloren.',
    retryNow: 'Jetzt versuchen',
  },
  empty: {
    greeting: 'Was soll entstehen?',
    lead: 'Jederzeit zurückgehen, bearbeiten oder verzweigen: Jede frühere Nachricht bleibt erhalten.',
    suggestions: 'Vorschläge',
    demoTitle: 'Das Demo-Modell antwortet.',
    demoBody:
      'Es braucht weder Schlüssel noch Netz. Es ist nicht intelligent; es zeigt, was das Programm kann.',
    addModel: 'Echtes Modell hinzufügen',
  },
  thread: {
    label: 'Nachrichten',
    loadingOlder: 'Frühere Nachrichten werden geladen',
    jumpToLatest: 'Zur neuesten springen',
    newMessages: (count) => plural(count, 'neue Nachricht', 'neue Nachrichten'),
    replying: 'Die Antwort hat begonnen.',
    replyEnded: 'Die Antwort ist zu Ende.',
    waiting: {
      approval: 'Der Lauf wartet auf eine Erlaubnis.',
      answer: 'Der Lauf wartet auf eine Antwort.',
    },
    outcome: (what) => `Ergebnis: ${what}`,
    loading: 'Das Gespräch wird geladen',
  },
  palette: {
    label: 'Befehlspalette',
    placeholder: 'Chats und Befehle suchen',
    none: 'Nichts passt',
  },
  shortcuts: { title: 'Tastenkürzel' },
  theme: { label: 'Farbschema', system: 'System', light: 'Hell', dark: 'Dunkel' },
  toast: { label: 'Mitteilungen', dismiss: 'Schließen' },
}

/** The German catalogue, with English texts where it has none. */
export const de: Messages = complete(en, german)
