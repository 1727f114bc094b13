import type { Translation } from '@palimpsest/ui/de'
import type { sourceWords } from '../en-sources.ts'

/** German texts about what files bring. */
export const sources: Translation<typeof sourceWords> = {
  sources: {
    project: 'Ordner des Chats',
    user: 'Eigener Ordner',
    bundled: 'Eingebaut',
    configured: 'Konfiguration',
  },
  loading: 'Wird geladen',
  warnings: 'Warnungen',
  instructions: 'Anweisungen',
  instructionsLead:
    'Dateien, die in jeder Runde im Prompt stehen, die nächste zuletzt. Die eines Ordners gelten für dessen Chats.',
  noInstructions: 'Weder AGENTS.md noch CLAUDE.md oder CONTEXT.md wurde gefunden.',
  size: (characters) => `${characters} Zeichen`,
  cut: 'nicht ganz gelesen',
  skills: 'Skills',
  skillsLead:
    'Das Modell liest Namen und Beschreibungen und lädt einen Skill, wenn die Arbeit ansteht. Ein Skill erlaubt nichts.',
  noSkills: 'Keine Skills gefunden.',
  agents: 'Agenten aus Dateien',
  agentsLead:
    'Ein Agent, der zu einem Ordner gehört, zählt erst, wenn er gelesen und erlaubt wurde. Nach einer Änderung wird wieder gefragt.',
  noAgents: 'Keine Agenten gefunden. Markdown-Dateien kommen nach .agents/agents.',
  modes: { primary: 'für Chats', subagent: 'für Teilaufgaben', all: 'für Chats und Teilaufgaben' },
  allowed: 'Erlaubt',
  notAllowed: 'Noch nicht erlaubt',
  read: (path) => `${path} lesen`,
  allow: 'Erlauben',
  allowOf: (path) => `${path} erlauben`,
  withdraw: 'Zurückziehen',
  withdrawOf: (path) => `Erlaubnis für ${path} zurückziehen`,
  allowedNow: (path) => `${path} ist erlaubt.`,
  withdrawn: (path) => `${path} ist nicht mehr erlaubt.`,
  commands: 'Befehle',
  commandsLead: 'Texte, die sich mit ihrem Namen senden lassen: / im Nachrichtenfeld eingeben.',
  noCommands: 'Keine Befehle gefunden. Markdown-Dateien kommen nach .agents/commands.',
}
