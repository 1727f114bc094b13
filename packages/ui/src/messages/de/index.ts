export { missingKeys, type Translation } from '../translation.ts'
export { germanChanges } from './changes.ts'
export { de, german } from './de.ts'
export { format, plural, quoted } from './german.ts'
