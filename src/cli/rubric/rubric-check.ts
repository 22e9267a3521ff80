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
    const { name, title, language, signals, drivers, guidance, kinds = [] } = parseRubric(text, extendableRubrics)
    const found = {
      name,
      title,
      language,
      signals: signals.length,
      drivers: drivers.table.length,
      guidance: guidance.length,
      ...(kinds.length > 0 && { kinds: kinds.map(({ key, rubric }) => `${key} by ${rubric.name}`) }),
    }
    await print(
      args.json,
      found,
      () =>
        `${name} is a good rubric: ${found.signals} signals, ${found.drivers} drivers, ${found.guidance} guidance entries, for calls in ${language}${kinds.length === 0 ? '' : `; ${found.kinds?.join(', ')}`}\n`,
    )
  },
})
