import { COLUMNS, type ExportRowType } from '@palimpsest/core/domain'

/** The quoted names of the columns of a table that exports carry. */
export function columnNames(table: ExportRowType): string[] {
  return Object.keys(COLUMNS[table]).map((name) => `"${name}"`)
}

/** SQL for the exported columns of a table, or of an alias of it, under the names that the generated types have. */
export function columnsAs(table: ExportRowType, alias?: string): string {
  const from = alias === undefined ? '' : `${alias}.`
  return Object.keys(COLUMNS[table])
    .map((name) => `${from}"${name}" AS "${toCamelCase(name)}"`)
    .join(', ')
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
