import type { AgentFile } from '../workspace/agent-file.ts'
import type { Command } from '../workspace/commands.ts'
import type { SourceWarning } from '../workspace/read-text.ts'
import type { Skill } from '../workspace/skills.ts'
import type { Consent, TrustKind } from '../workspace/trust.ts'

/** A session, or a folder, or with null none; without both keys the folder of sessions that name none. */
export type SourcePlace = { sessionId?: string; workspaceRoot?: string | null }

export type Listed<Item> = { items: Item[]; warnings: SourceWarning[] }

export type InstructionView = { path: string; source: 'user' | 'project'; characters: number; cut: boolean }
export type SkillView = Pick<Skill, 'name' | 'description' | 'source' | 'path'>
export type CommandView = Pick<Command, 'name' | 'description' | 'hint' | 'source' | 'path'>
/** `allowed`: it counts, since it is the person's own or they consented to it. */
export type AgentFileView = Pick<AgentFile, 'id' | 'description' | 'mode' | 'source' | 'path'> & {
  allowed: boolean
}

/** What a repository brings that acts. A person reads `content`, its first 20,000 characters, before they consent. */
export type TrustView = {
  digest: string
  kind: TrustKind
  path: string
  content: string
  allowed: boolean
}

/** What files bring to sessions. Each call reads the files as they are. */
export interface SourceService {
  instructions(place: SourcePlace): Promise<Listed<InstructionView>>
  skills(place: SourcePlace): Promise<Listed<SkillView>>
  agents(place: SourcePlace): Promise<Listed<AgentFileView>>
  commands(place: SourcePlace): Promise<Listed<CommandView>>
  /** The text of a command with what a person wrote behind its name. `INVALID_INPUT` of field `name` when there is none. */
  expand(place: SourcePlace, name: string, given: string): Promise<string>
  readonly trust: {
    list(place: SourcePlace): Promise<TrustView[]>
    /** Records the consent to an item of the place. `CONFLICT` when it has another content by now. */
    grant(place: SourcePlace, digest: string): Promise<Consent>
    /** False when there is none. */
    revoke(digest: string): Promise<boolean>
  }
}
