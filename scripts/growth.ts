import { measureGrowth } from './growth/measure-growth.ts'

const { content, file, tables } = measureGrowth(process.argv[2] ?? 'data/palimpsest.db')
const ratio = content === 0 ? '' : `: ${(file / content).toFixed(2)} × their size`
console.table(tables)
console.log(`${content} bytes of parts, ${file} bytes of file${ratio}`)
