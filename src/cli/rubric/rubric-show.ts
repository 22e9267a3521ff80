import { Problem } from '../../base/problem.js'
import type { AboutRubricVersion } from '../../operations/rubric-answer.js'
import { getRubric, listRubricVersions } from '../../operations/rubrics.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { textOption } from '../text-option.js'
import { UsageError } from '../usage-error.js'
import { withClient } from '../with-client.js'
import { givenOptions } from './given-rubric.js'

/** `earshot rubric show` */
export const rubricShowCommand = defineCommand({
  command: 'show',
  describe: "Show a project's rubric as it was set, or a page of a built-in one",
  builder: yargs =>
    yargs
      .options({
        project: textOption('Id of the project'),
        revision: textOption('An earlier version, such as project-2'),
        full: { type: 'boolean', default: false, description: 'Show all of it, with what it extends written out' },
        revisions: { type: 'boolean', default: false, description: 'List the versions the project ever set' },
        ...givenOptions,
      })
      .example('$0 rubric show --project shop > shop.yaml', ''),
  handler: async args => {
    if (args.builtIn !== undefined) {
      const shown = await builtIn(args.builtIn, args.full)
      await print(args.json, shown, () => shown.text)
      return
    }
    const { project, revision } = args
    if (project === undefined) throw new UsageError('Name --project or --built-in')
    if (args.revisions) {
      const versions = await withClient(globalFlags(args), client =>
        client.run(listRubricVersions, { project }).then(answer => answer.versions),
      )
      await print(args.json, { versions }, () =>
        versions.map(one => `${one.version}  ${nameOf(one)}  ${one.set_at ?? ''}  ${one.set_by ?? ''}\n`).join(''),
      )
      return
    }
    const rubric = await withClient(globalFlags(args), client =>
      client.run(getRubric, { project, query: { version: revision, full: args.full } }),
    )
    const text = args.full && rubric.unreadable === undefined ? await asYaml(rubric.text) : rubric.text
    await print(args.json, { ...rubric, text }, () => text)
    // The text is all that is asked for: whoever wants to mend it reads why elsewhere.
    if (rubric.unreadable !== undefined && !args.json) process.stderr.write(`${rubric.unreadable}\n`)
  },
})

function nameOf({ name, unreadable }: AboutRubricVersion): string {
  if (unreadable === undefined) return name ?? ''
  return name === undefined ? "can't be read" : `${name} (can't be read)`
}

/** What is written out comes as JSON. */
async function asYaml(json: string): Promise<string> {
  const { rubric } = await import('../../evaluation/rubric/rubric.js')
  const { rubricText } = await import('../../evaluation/rubric/rubric-text.js')
  return rubricText(rubric.parse(JSON.parse(json)))
}

async function builtIn(name: string, full: boolean): Promise<{ name: string; version: string; text: string }> {
  const { builtInRubrics } = await import('../../evaluation/rubric/built-in-rubrics.js')
  const { rubricPage, rubricText } = await import('../../evaluation/rubric/rubric-text.js')
  const found = builtInRubrics.get(name)
  if (found === undefined) {
    throw new Problem(
      'not_found',
      `There is no built-in rubric "${name}"; there are ${[...builtInRubrics.keys()].join(', ')}`,
    )
  }
  return { name, version: found.version, text: full ? rubricText(found.rubric) : rubricPage(found) }
}
