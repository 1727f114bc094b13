/** A command of a line, as its tree shows it: its name and its words, decoded. */
export type SeenCommand = { name: string; args: readonly string[] }
