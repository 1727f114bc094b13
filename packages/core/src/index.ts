export { createId } from './domain/ids.ts'
