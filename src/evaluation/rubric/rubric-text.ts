import { stringify } from 'yaml'
import type { VersionedRubric } from './built-in-rubrics.js'
import type { RubricInput, RubricSignal } from './rubric.js'

/** Longest line of a page, characters. */
const WIDTH = 110

/** A rubric as YAML, whole. */
export function rubricText(rubric: RubricInput): string {
  return stringify(rubric, { lineWidth: 110, aliasDuplicateObjects: false, defaultStringType: 'PLAIN' })
}

/**
 * What a built-in rubric is for a reader: a page. It is a rubric itself, which extends that one and changes nothing yet, so
 * that what is shown can be changed and set.
 */
export function rubricPage({ rubric, version }: VersionedRubric): string {
  const { name, title, language, dimensions, signals, caps, csat, readings, drivers, guidance, lists } = rubric
  const active = signals.filter(signal => signal.active)
  const scored = new Set(dimensions.map(({ key }) => key))
  const context = active.filter(({ category, weight }) => weight === 0 || !scored.has(category))
  const weights = dimensions.reduce((sum, { weight }) => sum + weight, 0)
  const phrases = Object.values(lists).reduce((sum, list) => sum + list.length, 0)
  const capped = caps.map(cap => `${cap.most.toFixed(1)} ${cap.reason}${cap.active ? '' : ' (switched off)'}`)
  const parts = (csat?.parts ?? []).filter(part => part.active)
  const coached = guidance.filter(guide => guide.active)
  const lines = [
    ...commented(`${title} (${name}, version ${version}), for calls in ${language}: built in.`),
    ...commented(
      'Write below it what shall be different and set the file: "Changes over another rubric" in docs/rubric.md.',
    ),
    ...commented('All of it, with every phrase: earshot rubric show --full'),
    `extends: ${name}`,
    '',
    ...commented(
      `Score, 1 to 5: the mean of ${dimensions.length} dimensions, each of its signals by weight. Those in ( ) count against a call.`,
    ),
    ...dimensions.flatMap(({ key, weight }) =>
      listed(
        `${key}, ${Math.round((100 * weight) / weights)} %`,
        active.filter(signal => signal.category === key && signal.weight > 0).map(weighed),
      ),
    ),
    ...listed(
      'without a weight',
      context.map(({ key }) => short(key)),
    ),
    ...listed('at most', capped),
    ...(csat === undefined
      ? []
      : listed(
          `Predicted CSAT: ${csat.start}, and`,
          parts.map(
            ({ add, reason, each }) => `${add > 0 ? '+' : ''}${add} ${reason}${each === undefined ? '' : ' (each)'}`,
          ),
          '',
        )),
    ...listed(
      'Readings',
      readings.map(({ key, values }) => `${key} (${values.map(({ value }) => value).join(', ')})`),
      '',
    ),
    ...listed(
      `Drivers: the first that one of the customer's first ${drivers.turns} turns names, of`,
      drivers.table.map(({ driver }) => driver),
      '',
    ),
    ...listed(
      'Guidance',
      coached.map(({ key }) => key.replace(/^guide\./, '')),
      '',
    ),
    ...listed(
      `${Object.keys(lists).length} lists with ${phrases} phrases`,
      Object.entries(lists).map(([list, { length }]) => `${list} ${length}`),
      '',
    ),
  ]
  return `${lines.join('\n')}\n`
}

const short = (key: string): string => key.replace(/^sig\./, '')

function weighed({ key, weight, negative }: RubricSignal): string {
  return negative ? `(${short(key)} ${weight})` : `${short(key)} ${weight}`
}

/** A heading with what belongs to it. @param indent of a heading that stands under another one */
function listed(heading: string, entries: readonly string[], indent = '  '): readonly string[] {
  if (entries.length === 0) return []
  return filled(
    [...`${heading}:`.split(' '), ...entries.map((entry, at) => (at < entries.length - 1 ? `${entry},` : entry))],
    indent,
  )
}

function commented(text: string): readonly string[] {
  return filled(text.split(' '), '')
}

/** A comment of lines that are no longer than the page; those after the first are indented. */
function filled(pieces: readonly string[], indent: string): readonly string[] {
  const lines: string[] = []
  let line = `# ${indent}`
  for (const [at, piece] of pieces.entries()) {
    if (at > 0 && line.length + piece.length > WIDTH) {
      lines.push(line.trimEnd())
      line = `# ${indent}  `
    }
    line += `${piece} `
  }
  return [...lines, line.trimEnd()]
}
