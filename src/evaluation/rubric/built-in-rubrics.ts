import { compiledFile } from './compiled-file.js'
import { signalCatalogs } from './signal-catalogs.js'
import { evaluationHash } from './evaluation-version.js'
import type { Extendable } from './parse-rubric.js'
import type { Rubric } from './rubric.js'

/** A rubric with its version. */
export interface VersionedRubric {
  readonly rubric: Rubric
  /** Of a built-in one its hash, of a project's its name, such as project-2. */
  readonly version: string
  /** The same in other languages, for calls in these. */
  readonly others?: readonly Rubric[]
}

/** Rubrics that are made of files in rubrics/, by the names of these. */
const builtIn = ['support-calls', 'sales-calls', 'support-calls-de', 'support-calls-es'].map(
  name => compiledFile(name) as Rubric,
)

/** Those of these that are one of them in another language: it has the same name, with the language behind it. */
const othersOf = ({ name, language }: Rubric): readonly Rubric[] =>
  builtIn.filter(one => one.language !== language && one.name === `${name}-${one.language}`)

/** The rubrics every installation has, by name. */
export const builtInRubrics: ReadonlyMap<string, VersionedRubric> = new Map(
  builtIn.map(rubric => {
    const others = othersOf(rubric)
    const versioned: VersionedRubric = {
      rubric,
      // When it is asked for: all texts of a rubric and its others are gone through, and most commands ask for none.
      get version() {
        return evaluationHash(rubric, others)
      },
      ...(others.length > 0 && { others }),
    }
    return [rubric.name, versioned] as const
  }),
)

/** The rubric of projects that have none of their own. */
export const defaultRubric: VersionedRubric = builtInRubrics.get('support-calls')!

/** What a project's rubric may extend, the built-in ones and what these share, and take signals from. */
export const extendableRubrics: Extendable = {
  rubrics: new Map<string, unknown>([
    ...builtIn.map(rubric => [rubric.name, rubric] as const),
    ['english-calls', compiledFile('shared/english-calls')],
  ]),
  catalogs: signalCatalogs,
}
