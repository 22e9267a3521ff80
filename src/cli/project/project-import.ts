import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { parseInput } from '../../base/parse-input.js'
import { Problem } from '../../base/problem.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { nameOf, openInput, unreadable } from '../pipeline/read-input.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { withOperations } from '../with-operations.js'
import { type ProjectEntry, projectEntry } from './project-entries.js'
import { writeProject } from './write-project.js'

/** `earshot project import`: what `project export` wrote, into a project that is there or is made. */
export const projectImportCommand = defineCommand({
  command: 'import <file>',
  describe: 'Take what "project export" wrote into a project, which is made if it is not there',
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', demandOption: true, description: 'The file, or - for standard input' })
      .options(projectOption)
      .example('$0 project import demo-project.ndjson --project copy', ''),
  handler: async args => {
    const entries = await readEntries(args.file)
    const report = await withOperations(globalFlags(args), operations =>
      writeProject(operations, args.project, entries),
    )
    await print(args.json, report, () => {
      const { project_id: project, created, added, unchanged, secrets } = report
      return [
        `Project ${project} ${created ? 'is made' : 'was there'}: ${added} entries taken, ${unchanged} were there as they are.`,
        ...secrets.map(({ url, secret }) => `${url} is signed with\n\n${secret}\n\nThis is the only time it is shown.`),
        '',
      ].join('\n')
    })
  },
})

/** Every line, checked before anything is changed. @throws Problem that names the line */
async function readEntries(file: string): Promise<readonly ProjectEntry[]> {
  const entries: ProjectEntry[] = []
  try {
    const input = openInput(file)
    const text = file.endsWith('.gz') ? input.pipe(createGunzip()) : input
    input.once('error', error => text.emit('error', error))
    for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
      if (line.trim() !== '') entries.push(entryIn(line, entries.length + 1, file))
    }
  } catch (error) {
    throw error instanceof Problem ? error : unreadable(file, error)
  }
  return entries
}

function entryIn(line: string, number: number, file: string): ProjectEntry {
  try {
    return parseInput(projectEntry, JSON.parse(line), 'field')
  } catch (error) {
    const what = error instanceof Problem ? error.message : 'is no JSON'
    const hint = line.includes('"session_id"') ? '. Calls are taken by "earshot import"' : ''
    throw new Problem('invalid_input', `${nameOf(file)}, entry ${number}: ${what}${hint}`)
  }
}
