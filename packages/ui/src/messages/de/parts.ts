import type { markdownWords, toolWords } from '../en-parts.ts'
import type { Translation } from '../translation.ts'
import { plural } from './german.ts'

const titles: Translation<typeof toolWords>['titles'] = {
  read: { name: 'Lesen', done: 'Gelesen' },
  write: { name: 'Schreiben', done: 'Geschrieben' },
  edit: { name: 'Bearbeiten', done: 'Bearbeitet' },
  glob: { name: 'Dateien suchen', done: 'Dateien gesucht' },
  grep: { name: 'Suchen', done: 'Gesucht' },
  bash: { name: 'Ausführen', done: 'Ausgeführt' },
  bash_output: { name: 'Ausgabe eines Befehls lesen', done: 'Ausgabe eines Befehls gelesen' },
  bash_stop: { name: 'Befehl stoppen', done: 'Befehl gestoppt' },
  todo: { name: 'Aufgabenliste ändern', done: 'Aufgabenliste geändert' },
  question: { name: 'Nachfragen', done: 'Nachgefragt' },
  web_search: { name: 'Im Web suchen', done: 'Im Web gesucht' },
  skill: { name: 'Skill laden', done: 'Skill geladen' },
  web_fetch: { name: 'Abrufen', done: 'Abgerufen' },
}

/** German texts of tool calls. */
export const germanTools: Translation<typeof toolWords> = {
  titles,
  called: (count) => `${plural(count, 'Werkzeug', 'Werkzeuge')} aufgerufen`,
  calling: (count) => `${plural(count, 'Werkzeug wird', 'Werkzeuge werden')} aufgerufen`,
  failures: (count) => `${count} fehlgeschlagen`,
  preparing: 'Wird vorbereitet',
  running: 'Läuft',
  waiting: 'Wartet auf eine Entscheidung',
  allowedOnce: 'Einmal erlaubt',
  allowedBy: {
    manifest: (rule) => `Erlaubt durch die Regel des Agenten: ${rule}`,
    project: (rule) => `In diesem Projekt erlaubt: ${rule}`,
    session: (rule) => `In diesem Chat erlaubt: ${rule}`,
    mode: (mode) => `Erlaubt durch den Modus: ${mode}`,
  },
  deniedBecause: (reason) => `Abgelehnt: ${reason}`,
  answered: (answers) => `Geantwortet: ${answers}`,
  noAnswer: 'Keine Antwort',
  done: 'Fertig',
  failed: 'Fehlgeschlagen',
  denied: 'Abgelehnt',
  stopped: 'Gestoppt',
  exitCode: (code) => `Exit-Code ${code}`,
  arguments: 'Argumente',
  result: 'Ergebnis',
  error: 'Fehler',
  emptyResult: 'Leeres Ergebnis',
  pruned: 'Das Modell liest dieses Ergebnis nicht mehr. Es ist weiterhin gespeichert.',
  condensed: (after, before) => `Das Modell liest ein verdichtetes Ergebnis: ${after} statt ${before} Token`,
  uncondensed: (after, before) =>
    `Das Modell liest das ganze Ergebnis von ${before} Token; ein verdichtetes von ${after} ist gespeichert`,
  useWhole: 'Ganzes Ergebnis verwenden',
  useCondensed: 'Verdichtetes Ergebnis verwenden',
  condensedBy: (model) => `Verdichtet von ${model}`,
  showAll: (size) => `Alle ${size} zeigen`,
  showMore: (rest) => `Mehr zeigen, noch ${rest}`,
  todo: 'Aufgabenliste',
  todoProgress: (done, total) => `${done} von ${total} erledigt`,
  todoStates: {
    pending: 'Offen',
    'in-progress': 'In Arbeit',
    completed: 'Erledigt',
    cancelled: 'Abgebrochen',
  },
}

/** German texts of rendered markdown. */
export const germanMarkdown: Translation<typeof markdownWords> = {
  copyCode: 'Code kopieren',
  copied: 'Kopiert',
  plainText: 'Text',
  loadImage: (host) => `Bild von ${host} laden`,
  image: 'Bild',
  blockedImage: 'Bild nicht gezeigt: Seine Adresse ist nicht erlaubt.',
  imageFailed: (host) => `Das Bild von ${host} kann nicht geladen werden.`,
  diagram: 'Diagramm',
  diagramFailed: 'Dieses Diagramm kann nicht gezeichnet werden.',
  showSource: 'Quelltext zeigen',
  showDiagram: 'Diagramm zeigen',
  table: 'Tabelle',
  wrap: 'Zeilen umbrechen',
  expand: 'Vergrößern',
  code: (language) => `Code, ${language}`,
  opensInNewTab: 'öffnet in einem neuen Tab',
  tooLong: 'Als einfacher Text gezeigt: zu lang zum Formatieren.',
  tooComplex: 'Als einfacher Text gezeigt: zu tief verschachtelt oder zu lang zum Formatieren.',
  notFormatted: 'Als einfacher Text gezeigt: konnte nicht formatiert werden.',
}
