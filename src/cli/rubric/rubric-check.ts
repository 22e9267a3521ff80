import type { LeftOut } from '../../evaluation/rubric/left-out.js'
import { defineCommand } from '../define-command.js'
import { print } from '../print.js'
import { givenRubric } from './given-rubric.js'

/** `earshot rubric check` */
export const rubricCheckCommand = defineCommand({
  command: 'check <file>',
  describe: 'Check a rubric file; faults are told with line and column',
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', demandOption: true, description: 'YAML or JSON' })
      .example('$0 rubric check rubric.yaml', ''),
  handler: async args => {
    const { parseRubric } = await import('../../evaluation/rubric/parse-rubric.js')
    const { extendableRubrics } = await import('../../evaluation/rubric/built-in-rubrics.js')
    const { text = '' } = await givenRubric(args.file, undefined)
    const { leftOutOf } = await import('../../evaluation/rubric/left-out.js')
    const whole = parseRubric(text, extendableRubrics)
    const { name, title, language, signals, drivers, guidance, kinds = [] } = whole
    const leftOut = leftOutOf(text, whole, extendableRubrics)
    const found = {
      name,
      title,
      language,
      signals: signals.length,
      drivers: drivers.table.length,
      guidance: guidance.length,
      ...(kinds.length > 0 && { kinds: kinds.map(({ key, rubric }) => `${key} by ${rubric.name}`) }),
      ...(leftOut.length > 0 && { left_out: leftOut }),
    }
    await print(
      args.json,
      found,
      () =>
        `${name} is a good rubric: ${found.signals} signals, ${found.drivers} drivers, ${found.guidance} guidance entries, for calls in ${language}${kinds.length === 0 ? '' : `; ${found.kinds?.join(', ')}`}\n${leftOut.map(one => leftOutText(one)).join('')}`,
    )
  },
})

/** What is said of a translation: all of it has to be told, since nothing else shows that it is not there. */
function leftOutText({ kind, of, parts, lists, coaching }: LeftOut): string {
  const where = kind === undefined ? '' : ` (kind ${kind})`
  const named = Object.entries(parts).map(([part, keys]) => `  ${part}: ${keys.join(', ')}\n`)
  const whole = `Everything of ${of} has words here${where}.\n`
  const left = `Left out of ${of}${where}, because this file has no words for it:\n${named.join('')}`
  return [
    named.length === 0 ? whole : left,
    lists.length === 0 ? '' : `  Lists it asks for: ${lists.map(name => `$${name}`).join(', ')}\n`,
    coaching.length === 0 ? '' : `Coaching still as in ${of}${where}: ${coaching.join(', ')}\n`,
  ].join('')
}
