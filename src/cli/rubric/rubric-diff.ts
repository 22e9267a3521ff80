import { Problem } from '../../base/problem.js'
import type { RubricVersionAnswer } from '../../operations/rubric-answer.js'
import { getRubric } from '../../operations/rubrics.js'
import { type Rubric, rubric as rubricSchema } from '../../evaluation/rubric/rubric.js'
import type { RubricDifference } from '../../evaluation/rubric/diff-rubrics.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { UsageError } from '../usage-error.js'
import { withClient } from '../with-client.js'
import { givenOptions, givenRubric } from './given-rubric.js'

/** Longest value shown, characters. */
const LONGEST = 100

/** `earshot rubric diff` */
export const rubricDiffCommand = defineCommand({
  command: 'diff [file]',
  describe: "Show in what a file, a built-in rubric or another version differs from the project's rubric",
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', description: 'YAML or JSON' })
      .options({
        ...projectOption,
        ...givenOptions,
        revision: textOption('Compare with this earlier version of the project in place of a file'),
      })
      .example('$0 rubric diff rubric.yaml --project shop', ''),
  handler: async args => {
    const { project, revision } = args
    const { parseRubric } = await import('../../evaluation/rubric/parse-rubric.js')
    const { diffRubrics } = await import('../../evaluation/rubric/diff-rubrics.js')
    const { builtInRubrics, extendableRubrics } = await import('../../evaluation/rubric/built-in-rubrics.js')
    if (revision !== undefined && (args.file !== undefined || args.builtIn !== undefined)) {
      throw new UsageError('Name a file, --built-in or --revision, one of them')
    }
    const given = revision === undefined ? await givenRubric(args.file, args.builtIn) : undefined
    const [current, other] = await withClient(globalFlags(args), async client => [
      await client.run(getRubric, { project, query: { full: true } }),
      revision === undefined
        ? undefined
        : await client.run(getRubric, { project, query: { version: revision, full: true } }),
    ])
    const builtIn = given?.built_in === undefined ? undefined : builtInRubrics.get(given.built_in)?.rubric
    if (given?.built_in !== undefined && builtIn === undefined) {
      throw new UsageError(
        `There is no built-in rubric "${given.built_in}"; there are ${[...builtInRubrics.keys()].join(', ')}`,
      )
    }
    const after = builtIn ?? (given?.text === undefined ? whole(other) : parseRubric(given.text, extendableRubrics))
    const differences = diffRubrics(whole(current), after)
    await print(args.json, { version: current.version, differences }, () =>
      differences.length === 0 ? `No difference to version ${current.version}\n` : differences.map(lineOf).join(''),
    )
  },
})

/** The rubric that the service has written out. @throws Problem `conflict` of one that can't be read any more */
function whole(answer: RubricVersionAnswer | undefined): Rubric {
  if (answer?.unreadable !== undefined) throw new Problem('conflict', answer.unreadable)
  return rubricSchema.parse(JSON.parse(answer?.text ?? ''))
}

function lineOf({ where, before, after }: RubricDifference): string {
  if (before === undefined) return `+ ${where}: ${short(after)}\n`
  if (after === undefined) return `- ${where}: ${short(before)}\n`
  return `~ ${where}: ${short(before)} → ${short(after)}\n`
}

function short(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
