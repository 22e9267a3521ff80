import type { z } from 'zod'
import { reader } from './reader.js'

/** The store's address. Not repeated in errors: it may hold a password. */
export function storeUrl(): z.ZodType<string, string> {
  return reader(text => {
    if (text === 'duckdb:') return { value: text }
    return { wrong: 'is not "duckdb:", the embedded store, which is the only one this version has' }
  })
}
