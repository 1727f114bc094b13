import type { changesWords } from '../en-changes.ts'
import type { Translation } from '../translation.ts'
import { plural } from './german.ts'

/** German texts about the files that a chat has changed. */
export const germanChanges: Translation<typeof changesWords> = {
  title: 'Änderungen',
  open: 'Änderungen zeigen',
  list: 'Geänderte Dateien',
  scope: 'Änderungen von',
  scopes: { chat: 'Diesem Chat', turn: 'Letzter Runde' },
  loading: 'Änderungen werden gelesen',
  empty: 'Keine Dateien geändert',
  emptyHint: 'Dateien, die dieser Chat ändert, stehen hier mit dem, was vorher da war.',
  onlyTools:
    'In diesem Ordner werden Änderungen von Befehlen nicht aufbewahrt, nur die der Werkzeuge, die schreiben und ändern.',
  nothingKept:
    'In diesem Chat werden keine Dateien aufbewahrt, also kann keine Änderung zurückgenommen werden.',
  kinds: { created: 'Neu', changed: 'Geändert', deleted: 'Gelöscht', unchanged: 'Wie vorher' },
  since: { 'changed-since': 'Seitdem von jemand anderem geändert', gone: 'Nicht mehr da' },
  lines: (added, removed) =>
    `${plural(added, 'Zeile', 'Zeilen')} hinzugefügt, ${plural(removed, 'Zeile', 'Zeilen')} entfernt`,
  noText: 'Kein Text, deshalb werden keine Zeilen gezeigt.',
  part: (at, of) => `Teil ${at} von ${of}`,
  takeBack: 'Zurücknehmen',
  takeBackPart: 'Diesen Teil zurücknehmen',
  takeBackAll: 'Alle zurücknehmen',
  copyPatch: 'Als Patch kopieren',
  patchCopied: 'Patch kopiert',
  tookBack: (count) => `${plural(count, 'Datei ist', 'Dateien sind')} wiederhergestellt.`,
  stayed: (count) =>
    `${plural(count, 'Datei wurde', 'Dateien wurden')} von jemand anderem geändert und blieben, wie sie sind.`,
  undo: 'Rückgängig',
  left: 'Der Chat hat sich geändert, aber noch sind nicht alle Dateien wiederhergestellt.',
  decide: 'Entscheiden',
  conflicts: (count) => `Über ${plural(count, 'Datei', 'Dateien')} ist zu entscheiden`,
  conflictsHint:
    'Jemand anderes hatte diese Dateien geändert, deshalb blieben sie, wie sie waren. Auch die andere Fassung ist aufbewahrt.',
  pending: (count) => `${plural(count, 'Datei ist', 'Dateien sind')} noch nicht wiederhergestellt.`,
  pendingHint:
    'Vielleicht ist die Platte voll, oder Dateien sind gesperrt. Auf Dateien, die nicht zum Chat passen, wird keine Nachricht gesendet.',
  retry: 'Fertig wiederherstellen',
  leave: 'Mit den Dateien weitermachen, wie sie sind',
  more: (count) => `und ${count} weitere`,
  notKept: 'Nicht aufbewahrt',
  reasons: {
    'too-large': 'zu groß',
    unreadable: 'nicht lesbar',
    folder: 'ein Ordner oder ein eigenes Repository',
    name: 'ein Name, der nicht gespeichert werden kann',
    'unknown-folder': 'in diesem Ordner werden Dateien von Befehlen nicht aufbewahrt',
  },
  choice: (path) => `Was mit ${path} geschieht`,
  choices: { keep: 'Deine behalten', restore: 'Wiederherstellen', both: 'Beide behalten' },
  fates: {
    restored: 'wiederhergestellt',
    conflict: 'seitdem geändert, bleibt',
    kept: 'bleibt',
    beside: 'daneben wiederhergestellt',
    'not-kept': 'nicht aufbewahrt',
  },
  fatesOf: (count) => `${plural(count, 'Datei', 'Dateien')} insgesamt`,
  beside: (copy) => `die wiederhergestellte Fassung ist in ${copy}`,
}
