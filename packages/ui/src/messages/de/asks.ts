import type { askWords, exactWords } from '../en-asks.ts'
import type { budgetWords } from '../en-budget.ts'
import type { diffWords, modeWords } from '../en-permissions.ts'
import type { Translation } from '../translation.ts'
import { plural } from './german.ts'

const APPROVALS = new Map([
  ['read', 'Darf diese Datei gelesen werden?'],
  ['write', 'Darf diese Datei geschrieben werden?'],
  ['edit', 'Darf diese Datei geändert werden?'],
  ['bash', 'Darf dieser Befehl ausgeführt werden?'],
  ['web_fetch', 'Darf diese Seite abgerufen werden?'],
  ['web_search', 'Darf im Web gesucht werden?'],
  ['memory_write', 'Darf das gemerkt werden?'],
  ['memory_delete', 'Darf diese Erinnerung gelöscht werden?'],
  ['task', 'Darf ein Unteragent gefragt werden?'],
  ['skill', 'Darf dieser Skill geladen werden?'],
])

const ALL = new Map<string, (count: number) => string>([
  ['read', (count) => `Dürfen diese ${count} Dateien gelesen werden?`],
  ['write', (count) => `Dürfen diese ${count} Dateien geschrieben werden?`],
  ['edit', (count) => `Sind diese ${count} Änderungen erlaubt?`],
  ['bash', (count) => `Dürfen diese ${count} Befehle ausgeführt werden?`],
  ['web_fetch', (count) => `Dürfen diese ${count} Seiten abgerufen werden?`],
  ['web_search', (count) => `Sind diese ${count} Suchen im Web erlaubt?`],
])

/** German texts of requests, permissions, changes of files and budgets. */
export const germanAsks: Translation<typeof askWords> = {
  approve: (tool) => APPROVALS.get(tool) ?? `Den Aufruf von ${tool} erlauben?`,
  approveAll: (count, tool) => ALL.get(tool)?.(count) ?? `Diese ${count} Aufrufe von ${tool} erlauben?`,
  showAll: (count) => `Alle ${count} …`,
  allowAll: (count) => `Alle ${count} einmal erlauben`,
  oneByOne: 'Einzeln',
  place: (place, count) => `${place} von ${count}`,
  answer: (count) => plural(count, 'Frage', 'Fragen'),
  more: (count) => `${count} weitere`,
  subagent: (agent) => `Unteragent ${agent}`,
  why: 'Warum gefragt wird',
  reasons: {
    none: (what) => `Keine Regel erlaubt das: ${what}.`,
    rule: (what) => `Eine Regel fragt danach: ${what}.`,
  },
  noArguments: 'Ohne Argumente.',
  reason: 'Grund der Ablehnung',
  reasonHint: 'Grund der Ablehnung (optional, für das Modell)',
  deny: 'Ablehnen',
  once: 'Einmal erlauben',
  session: 'In diesem Chat',
  project: 'In diesem Ordner',
  lasting: 'Ab jetzt auch erlauben',
  only: (pattern) => `In diesem Chat oder Ordner ist ${pattern} ab dann erlaubt.`,
  own: 'Etwas anderes …',
  ownLabel: (question) => `Eigene Antwort: ${question}`,
  several: 'Mehrere sind möglich.',
  answered: (answered, total) => `${answered} von ${total} beantwortet`,
  submit: 'Antworten',
  sending: 'Die Antwort wird gesendet',
  form: (server) => `${server} fragt`,
  formNote: (server) => `Die Antworten gehen an den MCP-Server ${server}. Keine Passwörter eingeben.`,
  closeForm: 'Schließen',
  declineForm: 'Ablehnen',
  optional: 'optional',
  noAnswer: 'Keine Antwort',
  openFirst: 'Erlauben geht, wenn alles aufgeklappt ist',
  seeFirst: 'Erlauben geht, wenn das Ende zu sehen war',
  below: 'Weiter unten ist mehr',
  moreArguments: (count) => plural(count, 'weiteres Argument', 'weitere Argumente'),
  cutDifference:
    'Dieser Unterschied ist zu lang, um ganz gezeigt zu werden. Was geschrieben wird, steht vollständig in den Argumenten darunter; erlaubt werden kann es nur einmal.',
}

export const germanExact: Translation<typeof exactWords> = {
  spaces: (count) => plural(count, 'Leerzeichen', 'Leerzeichen'),
  tabs: (count) => plural(count, 'Tabulator', 'Tabulatoren'),
  blanks: (count) => plural(count, 'Leerzeichen oder Tabulator', 'Leerzeichen und Tabulatoren'),
  blankLines: (count) => plural(count, 'leere Zeile', 'leere Zeilen'),
  moreLines: (count) => plural(count, 'weitere Zeile', 'weitere Zeilen'),
  moreCharacters: (count) => plural(count, 'weiteres Zeichen', 'weitere Zeichen'),
}

export const germanDiff: Translation<typeof diffWords> = {
  label: (path) => `Änderungen an ${path}`,
  created: 'Neue Datei',
  added: 'Zeilen hinzugefügt',
  removed: 'Zeilen entfernt',
  truncated: 'Der Rest dieses Unterschieds wird nicht gezeigt.',
}

export const germanMode: Translation<typeof modeWords> = {
  label: 'Modus',
  chosen: 'gewählt',
  rules: 'Berechtigungen dieses Chats …',
  planReady: 'Der Plan ist fertig.',
  approve: 'Genehmigen und ausführen',
  approveIn: 'Modus, in dem der Plan ausgeführt wird',
  keepPlanning: 'Weiter planen',
  names: {
    ask: 'Fragen',
    'accept-edits': 'Bearbeiten',
    plan: 'Planen',
    'full-access': 'Alles',
  },
  descriptions: {
    ask: 'Vor Änderungen an Dateien und vor Befehlen wird gefragt.',
    'accept-edits': 'Dateien ändern sich ohne Rückfrage. Bei allem anderen wird gefragt.',
    plan: 'Dateien werden gelesen. Nichts ändert sich.',
    'full-access': 'In diesem Chat wird nichts gefragt.',
  },
  confirmTitle: 'Vollen Zugriff geben?',
  confirm:
    'In diesem Chat werden Dateien geändert und Befehle ausgeführt, ohne zu fragen. Texte, die das Modell liest, können ihm Anweisungen geben. Verbote gelten weiterhin.',
  confirmLabel: 'Vollen Zugriff geben',
}

const UNITS: Record<Parameters<(typeof budgetWords)['use']>[0], string> = {
  max_tokens: ' Token',
  max_cost: '',
  max_tool_calls: ' Werkzeugaufrufen',
  max_duration: ' Arbeit',
}

export const germanBudget: Translation<typeof budgetWords> = {
  use: (limit, used, max, scope) =>
    `${used} von ${max}${UNITS[limit]} in ${scope === 'run' ? 'dieser Antwort' : 'diesem Chat'}.`,
}
