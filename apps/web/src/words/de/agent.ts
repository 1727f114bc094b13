import { plural, type Translation } from '@palimpsest/ui/de'
import type { agentWords } from '../en-agent.ts'

/** German texts about what a chat may do and what it runs. */
export const agent: Translation<typeof agentWords> = {
  close: 'Schließen',
  loading: 'Wird geladen',
  again: 'Erneut versuchen',
  permissions: {
    title: 'Berechtigungen dieses Chats',
    lead: 'Was dieser Chat ohne Rückfrage darf, und was verboten ist.',
    acts: {
      read: 'Dateien lesen',
      edit: 'Dateien ändern',
      network: 'Webseiten lesen',
      command: 'Befehle ausführen',
      memory: 'Sich Dinge merken',
      mcp: 'MCP-Werkzeuge aufrufen',
      '*': 'Alles',
    },
    actions: { allow: 'Erlaubt', deny: 'Verboten', ask: 'Fragt zuerst' },
    pinned: 'lässt sich nicht lockern',
    given: (date) => `erteilt ${date}`,
    revoke: 'Widerrufen',
    revokeOf: (act, pattern) => `Widerrufen: ${act} ${pattern}`,
    revoked: (act, pattern) => `Widerrufen: ${act} ${pattern}. Es wird wieder gefragt.`,
    session: 'In diesem Chat',
    sessionEmpty: 'Für diesen Chat allein ist nichts erlaubt.',
    project: 'In diesem Projekt',
    projectEmpty: 'Für alle Chats dieses Ordners ist nichts erlaubt.',
    all: 'Alle Projekte und die Sandbox',
  },
  agents: {
    label: 'Agent dieses Chats',
    chosen: 'gewählt',
    gone: 'nicht mehr verfügbar: einen anderen wählen',
  },
  folder: { label: 'Ordner dieses Chats', chosen: 'gewählt' },
  sandbox: {
    title: 'Wo Befehle laufen',
    bwrap:
      'In einer Sandbox (bubblewrap): Ein Befehl kann nur Dateien im Ordner seines Chats ändern und hat kein Netz.',
    srt: 'In einer Sandbox (sandbox-runtime): Ein Befehl kann nur Dateien im Ordner seines Chats ändern.',
    none: 'Ohne Sandbox: Befehle haben die Rechte des Servers. Vor jedem Befehl, der mehr tut als lesen, wird gefragt.',
  },
  projects: {
    title: 'Projekte',
    lead: 'Was für alle Chats eines Ordners erlaubt wurde. Berechtigungen eines Chats stehen in diesem Chat, unter seinem Modus.',
    empty: 'Noch keine dauerhaften Berechtigungen.',
    emptyHint: 'Wenn ein Chat fragt, fügt „In diesem Projekt“ hier eine hinzu.',
    configured: 'Konfigurationsdatei',
    configuredLead: (file) => `In ${file} gesetzt, für jeden Ordner. Sie werden dort geändert.`,
    configuredEmpty: (file) => `${file} setzt keine Berechtigungen.`,
    builtIn: 'Eingebaut',
  },
  processes: {
    title: 'Befehle im Hintergrund',
    lead: 'Sie laufen, bis sie enden, gestoppt werden oder der Chat archiviert wird.',
    running: (count) => `${plural(count, 'Befehl läuft', 'Befehle laufen')}`,
    empty: 'Kein Befehl läuft im Hintergrund.',
    emptyHint:
      'Das Modell kann einen starten, etwa einen Entwicklungsserver. Er steht hier, bis der Server hält.',
    state: {
      running: (since) => `Läuft seit ${since}`,
      exited: (code) => (code === 0 ? 'Beendet' : `Mit Exit-Code ${code} fehlgeschlagen`),
      killed: 'Gestoppt',
    },
    started: (time) => `gestartet ${time}`,
    stop: 'Stoppen',
    stopOf: (command) => `Stoppen: ${command}`,
    stopping: 'Wird gestoppt',
    output: 'Ausgabe',
    outputOf: (command) => `Ausgabe von ${command}`,
    noOutput: 'Noch keine Ausgabe.',
    cut: (characters) =>
      `${plural(characters, 'früheres Zeichen wird', 'frühere Zeichen werden')} nicht gezeigt.`,
  },
}
