import type { historyWords } from '../en-history.ts'
import type { Translation } from '../translation.ts'
import { messages, plural, quoted } from './german.ts'

type Words = Translation<typeof historyWords>

/** German texts of branches, summaries, side questions and comparison. */
export const germanBranches: Words = {
  versions: {
    label: 'Versionen',
    position: (at, total) => `Version ${at} von ${total}`,
    ofQuestion: 'Bearbeitungen dieser Nachricht',
    ofReply: 'Antworten auf diese Nachricht',
    previous: 'Vorige Version',
    next: 'Nächste Version',
    branch: (number) => `Zweig ${number}`,
    unasked: (number) =>
      number === null ? 'Neuer Zweig, noch ohne Frage' : `Neuer Zweig ${number}, noch ohne Frage`,
    count: (count, more) => (more ? `${count}+ Nachrichten` : messages(count)),
    after: (count, more) =>
      more ? `${count}+ Nachrichten danach` : count === 0 ? 'endet hier' : `${messages(count)} danach`,
    compare: 'Mit diesem vergleichen',
    tree: 'Alle Zweige',
    elsewhere: (count, name) => `${count} in ${quoted(name)}`,
    current: 'Aktueller Zweig',
  },
  lineage: { label: 'Verzweigt von' },
  tree: {
    title: 'Zweige',
    lead: 'Die Zweige dieses Chats, und der Chat, von dem er abzweigt.',
    open: 'Zweige dieses Chats',
    compare: (name) => `Mit ${name} vergleichen`,
    remove: (name) => `${name} löschen`,
    side: 'Nebenfrage',
    here: 'Aktueller Zweig',
    alone:
      'Noch keine Zweige. An jeder Nachricht lässt sich verzweigen, um etwas anderes zu versuchen; dieser Chat bleibt, wie er ist.',
  },
  compaction: {
    summarised: (count) => `${plural(count, 'frühere Nachricht', 'frühere Nachrichten')} zusammengefasst`,
    summarisedSome: 'Frühere Nachrichten zusammengefasst',
    tokens: (before, after) => `${before} → ${after} Token`,
    summary: 'Das Modell liest stattdessen diese Zusammenfassung',
    showOriginals: 'Nachrichten zeigen',
    hideOriginals: 'Nachrichten ausblenden',
    undo: 'Rückgängig',
    running: 'Frühere Nachrichten werden zusammengefasst. Neue kommen in die Warteschlange.',
    runningAuto: 'Das Kontextfenster ist fast voll. Frühere Nachrichten werden zusammengefasst.',
    failed: 'Frühere Nachrichten konnten nicht zusammengefasst werden.',
    retry: 'Erneut versuchen',
    prune: 'Alte Werkzeugergebnisse auslassen',
    newChat: 'Neuer Chat',
    dismiss: 'Schließen',
  },
  contextActions: {
    compactsAt: 'Fasst zusammen bei',
    compact: 'Zusammenfassen',
    compactHint: 'Aus früheren Nachrichten wird eine Zusammenfassung; das lässt sich rückgängig machen.',
    prune: 'Alte Werkzeugergebnisse auslassen',
    pruneHint: 'Das Modell erhält große alte Werkzeugergebnisse nicht mehr; sie lassen sich zurückholen.',
    budget: 'Budget',
    budgetHint: 'Begrenzt, was dieser Chat verbrauchen darf.',
  },
  fit: {
    compactsTitle: (model) => `${model} wird eine Zusammenfassung lesen`,
    compactsBody: (used, model, usable) =>
      `Dieser Chat hat ${used} Token, und ${model} kann ${usable} lesen. Vor der nächsten Antwort werden frühere Nachrichten zusammengefasst. Nichts wird gelöscht, und es lässt sich rückgängig machen.`,
    tooSmallTitle: (model) => `Dieser Chat passt nicht in ${model}`,
    tooSmallBody: (used, model, usable) =>
      `Er hat ${used} Token, und ${model} kann ${usable} lesen. Auch eine Zusammenfassung passt nicht.`,
    branchAt: (text) =>
      `Nach ${quoted(text)} passt der Chat noch: Dort kann ein Zweig mit diesem Modell beginnen.`,
    noBranch: 'Auch keine frühere Stelle passt. Das Modell lässt sich in einem neuen Chat verwenden.',
    switch: 'Wechseln',
    branch: 'Stattdessen verzweigen',
    newChat: 'Neuer Chat',
    rowCompacts: 'Frühere Nachrichten werden erst zusammengefasst',
    rowTooSmall: 'Passt auch zusammengefasst nicht',
  },
  side: {
    title: 'Nebenfrage',
    lead: (count) => `Das Modell liest ${messages(count)} dieses Chats. Der Chat ändert sich nicht.`,
    placeholder: 'Etwas zu diesem Chat fragen',
    keep: 'Als Zweig behalten',
    discard: 'Verwerfen',
    discardTitle: 'Diese Nebenfrage verwerfen?',
    discardBody: 'Die Nebenfrage und ihre Antworten werden endgültig gelöscht. Der Chat ändert sich nicht.',
    empty: 'Hier lässt sich etwas zu diesem Chat fragen, ohne ihn zu ändern.',
    waits: 'Eine Antwort läuft. Danach kann gefragt werden.',
  },
  compare: {
    title: 'Vergleichen',
    lead: 'Zwei Zweige nebeneinander',
    common: (count) => `${messages(count)} gemeinsam`,
    showCommon: 'Zeigen',
    hideCommon: 'Ausblenden',
    turn: (at) => `Runde ${at}`,
    nothing: 'Hier ist noch nichts',
    alike:
      'Beide Chats sind bisher gleich. Eine Nachricht an einen oder beide zeigt, worin sie sich unterscheiden.',
    sendTo: 'Senden an',
    both: 'Beide',
    left: 'Links',
    right: 'Rechts',
    open: 'Öffnen',
    choose: 'Vergleichen mit',
    back: 'Zurück zum Chat',
    swap: 'Seiten tauschen',
    same: 'Gleiche Antwort',
    showDifferences: 'Unterschiede zeigen',
    hideDifferences: 'Unterschiede ausblenden',
    onlyHere: (total, count) =>
      total === 0
        ? 'Kein Wort steht nur hier.'
        : `${count} ${total === 1 ? 'Wort steht' : 'Wörter stehen'} nur hier.`,
    tooDifferent: 'Diese Antworten sind zu lang oder zu verschieden für einen Vergleich Wort für Wort.',
    placeholder: (target) => `An ${target} schreiben`,
    older: 'Frühere Nachrichten laden',
    unrelated: 'Diese beiden Chats haben keine gemeinsamen Nachrichten.',
    tokens: (count) => `${count} Token`,
    replying: (name) => `${name}: Die Antwort hat begonnen.`,
    replyEnded: (name) => `${name}: Die Antwort ist zu Ende.`,
    outcome: (name, what) => `${name}: ${what}`,
  },
}
