import { existsSync, readFileSync } from 'node:fs'
import { evaluationHash } from './evaluation-version.js'
import type { Extendable } from './parse-rubric.js'
import type { Rubric } from './rubric.js'

/** A rubric with its version. */
export interface VersionedRubric {
  readonly rubric: Rubric
  /** Of a built-in one its hash, of a project's its name, such as project-2. */
  readonly version: string
}

/** Rubrics that are made of files in rubrics/, by the names of these. */
const builtIn = ['support-calls', 'sales-calls'].map(name => compiled(name) as Rubric)

/** The rubrics every installation has, by name. */
export const builtInRubrics: ReadonlyMap<string, VersionedRubric> = new Map(
  builtIn.map(rubric => [rubric.name, { rubric, version: evaluationHash(rubric) }] as const),
)

/** The rubric of projects that have none of their own. */
export const defaultRubric: VersionedRubric = builtInRubrics.get('support-calls')!

/** What a project's rubric may extend: the built-in ones, and what these share. */
export const extendableRubrics: Extendable = new Map<string, unknown>([
  ...builtIn.map(rubric => [rubric.name, rubric] as const),
  ['english-calls', compiled('shared/english-calls')],
])

/**
 * What the build made of a file of rubrics/ (scripts/compile-rubrics.mjs): read and checked as JSON it takes a hundredth of
 * the time. It is in dist/rubrics/, wherever this runs from: the sources, what `tsc` makes of them, or the bundle.
 */
function compiled(name: string): unknown {
  let folder = new URL('.', import.meta.url)
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('..', folder)
  const file = new URL(`dist/rubrics/${name}.json`, folder)
  if (!existsSync(file))
    throw new Error(`${file.pathname} is missing, which the build makes of rubrics/: npm run build`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
