import { readdirSync } from 'node:fs'
import type { Case } from './pipeline-cases.js'

const tablesOfAll = new URL('../pipeline/cases/', import.meta.url)

/** What a row of tests is named after, and its cases. */
export interface Table {
  readonly file: string
  readonly cases: readonly Case[]
}

/** The kinds of tables: the folders below test/pipeline/cases. */
export const caseKinds = (): readonly string[] => readdirSync(tablesOfAll).toSorted()

/** The case tables below test/pipeline/cases/<kind>/ with the names of their files. */
export async function caseTables(kind: string): Promise<readonly Table[]> {
  const folder = new URL(`${kind}/`, tablesOfAll)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
  return Promise.all(
    files.toSorted().map(async file => {
      const { cases } = (await import(new URL(file, folder).href)) as { cases: readonly Case[] }
      return { file: `${kind}/${file.replace(/\.ts$/, '')}`, cases }
    }),
  )
}
