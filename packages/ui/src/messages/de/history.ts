import type { historyWords } from '../en-history.ts'
import type { Translation } from '../translation.ts'
import { files, messages, plural, quoted } from './german.ts'

/** German texts of rewind, branches, versions, summaries, side questions and comparison. */
export const germanHistory: Translation<typeof historyWords> = {
  close: 'Schließen',
  edit: 'Bearbeiten und erneut senden',
  rewind: 'Hierher zurückspulen',
  branch: 'Hier verzweigen',
  leaveOut: 'Aus der Sicht des Modells auslassen',
  bringBack: 'In die Sicht des Modells zurückholen',
  editor: {
    label: 'Nachricht bearbeiten',
    send: 'Speichern und senden',
    stopAndSend: 'Stoppen, speichern und senden',
    rewind: 'Zurückspulen ohne Senden',
    replaces: 'Ersetzt diese Nachricht. Sie lässt sich wiederherstellen.',
    hides: (count) =>
      `Ersetzt diese Nachricht und blendet ${messages(count)} danach aus. Alles lässt sich wiederherstellen.`,
    files: (count) => {
      if (count === null) return 'Dateien werden nicht wiederhergestellt.'
      return count === 0
        ? 'Keine Dateien werden wiederhergestellt.'
        : `${plural(count, 'Datei wird', 'Dateien werden')} wiederhergestellt.`
    },
  },
  askAgain: {
    title: 'Hier eine andere Antwort holen?',
    body: (count) =>
      `Das blendet ${messages(count)} danach aus. Nichts wird gelöscht: Die Pfeile an der Antwort und „Wiederherstellen“ holen alles zurück.`,
    confirm: 'Andere Antwort holen',
  },
  prompts: {
    title: 'Zu einer eigenen Nachricht zurückspulen',
    search: 'Eigene Nachrichten durchsuchen',
    none: 'Keine Nachricht passt',
    empty:
      'Es gibt noch nichts zurückzuspulen. Eigene Nachrichten erscheinen hier, sobald eine gesendet ist.',
    hides: (count) => (count === 0 ? 'blendet nichts aus' : `blendet ${messages(count)} aus`),
    restores: (count) => `stellt ${files(count)} wieder her`,
    older: 'Frühere Nachrichten laden',
    edit: 'Bearbeiten und erneut senden',
    rewind: 'Zurückspulen ohne Senden',
    files: (restored) =>
      restored
        ? 'Nichts wird gelöscht, und von Antworten geänderte Dateien werden wiederhergestellt.'
        : 'Nichts wird gelöscht, und Dateien werden nicht wiederhergestellt.',
    filesCounted: (count) =>
      `Nichts wird gelöscht, und ${count === 0 ? 'keine Dateien werden' : plural(count, 'Datei wird', 'Dateien werden')} wiederhergestellt.`,
    attachment: 'Anhang',
  },
  questions: {
    title: 'Fragen in diesem Chat',
    search: 'Nach Wörtern oder Nummer filtern',
    first: 'Erste',
    last: 'Letzte',
    here: 'hier bist du',
    summarised: 'zusammengefasst',
    count: (found, total) =>
      found === total ? plural(total, 'Frage', 'Fragen') : `${found} von ${plural(total, 'Frage', 'Fragen')}`,
    none: 'Keine Frage passt',
    empty: 'Es gibt noch keine Frage.',
    loading: 'Die Fragen werden geladen',
    failed: 'Die Fragen konnten nicht geladen werden.',
    retry: 'Erneut versuchen',
  },
  tray: {
    label: 'Zurückgespult',
    hidden: (count, total) =>
      total > count
        ? `${plural(count, 'weitere Nachricht', 'weitere Nachrichten')} ausgeblendet, insgesamt ${total}`
        : `${messages(count)} ausgeblendet`,
    restored: (count, hidden) =>
      hidden === 0 ? `${messages(count)} wiederhergestellt` : 'Zurück in einem früheren Zustand',
    editTakenBack: 'Zurück vor der Bearbeitung',
    files: (count) => `${files(count)} wiederhergestellt`,
    restore: 'Zurückholen',
    redo: 'Wiederholen',
    show: 'Zeigen',
    hide: 'Ausblenden',
    timeline: 'Zeitleiste',
    earlier: 'Frühere Stände',
    more: 'Mehr in der Zeitleiste',
    loading: 'Frühere Stände werden geladen',
    dismiss: 'Schließen',
  },
  trace: {
    hidden: (count, more) =>
      `${more ? 'Mindestens ' : ''}${plural(count, 'frühere Nachricht', 'frühere Nachrichten')} ausgeblendet`,
    show: (count, more) =>
      `${more ? 'Mindestens ' : ''}${plural(count, 'hier ausgeblendete Nachricht', 'hier ausgeblendete Nachrichten')} zeigen`,
    hide: (count, more) => `${more ? 'Mindestens ' : ''}${messages(count)} wieder ausblenden`,
    restore: 'Zurückholen',
    superseded: 'Ausgeblendete Nachricht',
    header: 'Ausgeblendet',
    restoreHidden: 'Ausgeblendete Nachrichten zurückholen',
  },
  rail: {
    label: 'Verlauf dieses Chats',
    hint: 'Pfeiltasten zeigen frühere Stände. Enter führt zur Schaltfläche, die einen herstellt, Escape geht zurück zu jetzt.',
    now: 'Jetzt',
    at: (state, moment, count) => `${state}, ${moment}, ${messages(count)}`,
  },
  preview: {
    label: 'Vorschau eines früheren Stands',
    badge: 'Vorschau',
    state: (state, moment) => `${state}, ${moment}`,
    holds: (count) => messages(count),
    tokens: (count) => `${count} Token`,
    files: (count) => (count === 0 ? 'stellt keine Dateien wieder her' : `stellt ${files(count)} wieder her`),
    restore: 'Diesen Stand herstellen',
    back: 'Zurück zu jetzt',
    empty: 'Es gab noch keine Nachrichten.',
    failed: 'Dieser Stand konnte nicht geladen werden.',
    thread: 'Nachrichten eines früheren Stands',
  },
  timeline: {
    title: 'Zeitleiste',
    lead: 'Jede Änderung an diesem Chat. Nichts wurde gelöscht.',
    empty: 'Noch keine Änderungen an diesem Chat.',
    emptyHint:
      'Zurückspulen, Zweige, Zusammenfassungen und Modellwechsel erscheinen hier. Alles lässt sich rückgängig machen.',
    undo: 'Rückgängig',
    restore: (state, moment) => `Herstellen: ${state}, ${moment}`,
    sent: 'Nachricht gesendet',
    back: (state, moment) => `Rückgängig führt zurück: ${state}, ${moment}.`,
    look: 'Vorschau',
    restoreHere: 'Herstellen',
    earlier: 'Frühere zeigen',
    before: {
      message: 'vor dem Senden einer Nachricht',
      edit: 'vor der Änderung der Frage',
      regenerate: 'vor der Bitte um eine andere Antwort',
      rewind: 'vor dem Zurückspulen',
      restore: 'vor dem Wiederherstellen',
      version: 'vor dem Wechsel der Version',
      summary: 'vor der Zusammenfassung',
      'summary-undone': 'vor dem Aufheben der Zusammenfassung',
      'results-dropped': 'vor dem Auslassen alter Werkzeugergebnisse',
      'results-restored': 'vor dem Zurückholen von Werkzeugergebnissen',
      'result-whole': 'vor der Verwendung eines ganzen Werkzeugergebnisses',
      'result-condensed': 'vor der Verwendung eines verdichteten Werkzeugergebnisses',
      branch: 'vor dem Verzweigen',
      'leave-out': 'vor dem Auslassen einer Nachricht',
      'bring-back': 'vor dem Zurückholen einer Nachricht',
    },
    beforeText: (text) => `vor ${quoted(text)}`,
    goTo: 'Zu dieser Nachricht',
    open: 'Öffnen',
    preview: (count) => `Ausgeblendet: ${messages(count)}`,
    more: (count) => `und ${count} weiter oben`,
    hid: (count) => `${messages(count)} ausgeblendet`,
    showed: (count) => `${messages(count)} wiederhergestellt`,
    files: (count) => `${files(count)} wiederhergestellt`,
    results: (count) => plural(count, 'Werkzeugergebnis', 'Werkzeugergebnisse'),
    tokens: (before, after) => `${before} → ${after} Token`,
    kinds: {
      rewind: 'Zurückgespult',
      edit: 'Bearbeitet und erneut gesendet',
      unrewind: 'Wiederhergestellt',
      version: 'Version gewechselt',
      compaction: 'Zusammengefasst',
      autoCompaction: 'Automatisch zusammengefasst',
      uncompaction: 'Zusammenfassung aufgehoben',
      prune: 'Alte Werkzeugergebnisse ausgelassen',
      unprune: 'Werkzeugergebnisse zurückgeholt',
      uncondense: 'Ganzes Werkzeugergebnis verwendet',
      recondense: 'Verdichtetes Werkzeugergebnis wieder verwendet',
      leaveout: 'Nachricht ausgelassen',
      bringback: 'Nachricht zurückgeholt',
      revert: 'Dateien zurückgenommen',
      branch: 'Verzweigt',
      switch: 'Modell gewechselt',
    },
    at: (text) => `bei ${quoted(text)}`,
  },
}
