import { BIN_DAYS } from '@palimpsest/core/domain'
import { format, plural, quoted, type Translation } from '@palimpsest/ui/de'
import type { words } from '../en.ts'

/** German texts of the pages. */
export const page: Translation<typeof words> = {
  title: (session) => (session === null ? 'Palimpsest' : `${session} · Palimpsest`),
  waiting: (title) => `Wartet auf eine Entscheidung: ${title}`,
  answeredElsewhere: 'Anderswo beantwortet.',
  unreachable:
    'Der Server ist nicht erreichbar. Nichts geht verloren; die Seite verbindet sich von selbst wieder.',
  linkCopied: 'Link kopiert',
  replyCopied: 'Antwort kopiert',
  notCopied: 'Der Browser hat das Kopieren nicht erlaubt.',
  archived: (title) => `${quoted(title)} ist im Archiv.`,
  undo: 'Rückgängig',
  deleteTitle: 'Diesen Chat löschen?',
  deleteBody: (chat) =>
    [
      `${quoted(chat.title)} kommt mit allen Nachrichten in den Papierkorb, lässt sich ${BIN_DAYS} Tage lang wiederherstellen und wird dann endgültig gelöscht.`,
      ...(chat.running ? ['Die laufende Antwort wird zuerst gestoppt.'] : []),
      ...(chat.branches === 1 ? ['Sein Zweig bleibt in der Liste, wenn er nicht mit gelöscht wird.'] : []),
      ...(chat.branches > 1
        ? [`Seine ${chat.branches} Zweige bleiben in der Liste, wenn sie nicht mit gelöscht werden.`]
        : []),
    ].join(' '),
  delete: 'Löschen',
  deleteWithBranches: (count) => (count === 1 ? 'Mit seinem Zweig löschen' : `Mit ${count} Zweigen löschen`),
  inBin: (title) => `${quoted(title)} ist im Papierkorb.`,
  purgeTitle: 'Diesen Chat endgültig löschen?',
  purgeBody: (title) =>
    `${quoted(title)}, alle Nachrichten und was zusammen damit gelöscht wurde, werden entfernt. Das lässt sich nicht rückgängig machen.`,
  purge: 'Endgültig löschen',
  thisChat: 'Dieser Chat',
  notSent: (to) => (to === undefined ? 'Nicht gesendet.' : `Nicht an ${quoted(to)} gesendet.`),
  notSentOf: (message) => `Nicht gesendet: ${quoted(message)}.`,
  sentLater: (reason) => `${reason} Wird gesendet, sobald der Server antwortet.`,
  retry: 'Erneut senden',
  discard: 'Verwerfen',
  sending: 'Wird gesendet',
  tooLarge: (name, maxBytes) =>
    `${quoted(name)} ist zu groß: Anhänge haben höchstens ${format.bytes(maxBytes)}.`,
  tooMany: (count) => `Eine Nachricht hat höchstens ${plural(count, 'Anhang', 'Anhänge')}.`,
  notRead: (model, names) =>
    `${model} kann ${names.join(', ')} nicht lesen und erhält nur ${names.length === 1 ? 'den Namen' : 'die Namen'}.`,
  readByNone: (names) =>
    `Kein Modell kann ${names.join(', ')} lesen: Nur ${names.length === 1 ? 'der Name wird' : 'die Namen werden'} gesendet.`,
  switchTo: (model) => `${model} verwenden`,
  unreadable: (name) => `${quoted(name)} ist nicht lesbar.`,
  fileNotKept: (name) =>
    `${quoted(name)} konnte in diesem Browser nicht gespeichert werden und geht beim Neuladen verloren. Senden ist weiterhin möglich.`,
  notKept: {
    text: 'Diese Nachricht konnte in diesem Browser nicht gespeichert werden und geht verloren, wenn die Seite vor dem Senden geschlossen wird.',
    files:
      'Die Dateien dieser Nachricht konnten in diesem Browser nicht gespeichert werden und gehen beim Neuladen verloren.',
  },
  stopRun: 'Stoppen',
  enteredKept: 'Gestoppt. Die Eingabe steht im Nachrichtenfeld.',
  editKept: 'Diese Nachricht lässt sich nicht mehr bearbeiten. Der Text steht im Nachrichtenfeld.',
  archivedNotice: 'Dieser Chat ist archiviert.',
  shortcuts: {
    chats: 'Chats',
    writing: 'Schreiben',
    page: 'Seite',
    newChat: 'Neuer Chat',
    palette: 'Befehlspalette',
    sidebar: 'Seitenleiste zeigen oder ausblenden',
    focusComposer: 'Zum Nachrichtenfeld',
    request: 'Zu dem, worauf die Antwort wartet',
    copyReply: 'Letzte Antwort kopieren',
    settings: 'Einstellungen',
    help: 'Tastenkürzel',
    send: 'Senden, oder einreihen, solange eine Antwort läuft',
    newLine: 'Neue Zeile',
    steer: 'Zur laufenden Antwort hinzufügen',
    interrupt: 'Unterbrechen und senden',
    stop: 'Antwort stoppen',
  },
  commands: {
    group: 'Befehle',
    chats: 'Chats',
    permissions: 'Berechtigungen dieses Chats',
    processes: 'Befehle im Hintergrund',
    rename: 'Diesen Chat umbenennen',
    archive: 'Diesen Chat archivieren',
    unarchive: 'Diesen Chat aus dem Archiv holen',
    delete: 'Diesen Chat löschen',
    copyLink: 'Link zu diesem Chat kopieren',
    export: 'Diesen Chat in eine Datei exportieren',
    import: 'Chat aus einer Datei importieren',
    bin: 'Papierkorb öffnen',
    theme: { system: 'Farbschema: System', light: 'Farbschema: hell', dark: 'Farbschema: dunkel' },
    addModel: 'Modell hinzufügen',
    settings: 'Einstellungen',
    chooseModel: 'Modell wählen',
  },
  suggestions: {
    explain: {
      title: 'Erklären, wie ein Regenbogen entsteht',
      prompt: 'Erkläre in einfachen Worten, wie ein Regenbogen entsteht.',
    },
    plan: {
      title: 'Ein Wochenende planen',
      prompt: 'Hilf mir, ein Wochenende zu planen. Frage mich zuerst, was du wissen musst.',
    },
    write: {
      title: 'Eine Dankeskarte schreiben',
      prompt: 'Hilf mir, eine kurze Dankeskarte zu schreiben. Frage mich zuerst, für wen sie ist.',
    },
  },
  folder: {
    label: 'Ordner dieses Chats',
    chosen: 'gewählt',
    none: 'Kein Ordner',
    noneHint: 'Der Chat hat keine Dateien und führt keine Befehle aus',
    demo: 'Demo-Ordner',
  },
  slash: {
    model: 'Modell wählen',
    archive: 'Diesen Chat archivieren',
    new: 'Neuen Chat beginnen',
    help: 'Tastenkürzel zeigen',
    permissions: 'Zeigen, was dieser Chat darf',
    processes: 'Befehle im Hintergrund zeigen',
  },
}
