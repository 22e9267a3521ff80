import type { Migration } from './migration.js'

/** Words are found with or without their accents: what is searched was only in lower case before. */
export const searchWithoutAccents: Migration = {
  version: 23,
  name: 'search without accents',
  statements: [
    'update calls set search_text = strip_accents(search_text) where search_text <> strip_accents(search_text)',
  ],
}
