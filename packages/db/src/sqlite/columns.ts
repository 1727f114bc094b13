import { COLUMNS, type ExportRowType } from '@palimpsest/core/domain'

/** The quoted names of a table's columns. */
export function columnNames(table: ExportRowType): string[] {
  return Object.keys(COLUMNS[table]).map((name) => `"${name}"`)
}

/** SQL for the columns of `alias` under the names that the generated types have. */
export function columnsAs(table: ExportRowType, alias: string): string {
  return Object.keys(COLUMNS[table])
    .map((name) => `${alias}."${name}" AS "${toCamelCase(name)}"`)
    .join(', ')
}

function toCamelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
