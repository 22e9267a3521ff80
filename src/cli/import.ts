import { getMapping } from '../operations/mappings.js'
import { type Reading, readingOf } from '../ingest/mapping/saved-mappings.js'
import { fitLift } from '../operations/evaluation.js'
import type { ArgumentsCamelCase, Argv } from 'yargs'
import { z } from 'zod'
import { parseOptions } from './schema-options.js'
import { Problem } from '../base/problem.js'
import { timeZone as zone } from '../base/time-zone.js'
import type { Client, ImportTarget } from '../control/client.js'
import type { TakeEntries } from '../ingest/entries.js'
import { getProject } from '../operations/projects.js'
import { noMasks } from '../redact/mask.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import type { Config } from '../config.js'
import { isRoomy } from '../config/memory.js'
import { defineCommand } from './define-command.js'
import { liftLines } from './evaluate/lift-lines.js'
import { exitCode } from './exit-code.js'
import { type GlobalArguments, globalFlags } from './global-options.js'
import { explainLines } from './import/explain-lines.js'
import { entryLines } from './import/entry-lines.js'
import { ImportCourse } from './import/import-course.js'
import { importLines } from './import/import-lines.js'
import { KeptMark } from './import/kept-mark.js'
import { openConfig } from './open-config.js'
import { UsageError } from './usage-error.js'
import { showDash } from './import/standard-input.js'
import { EntryTaker } from './import/take-entries.js'
import { print } from './print.js'
import { projectOption } from './project-option.js'
import { textOption } from './text-option.js'
import { version } from './version.js'
import { withClient } from './with-client.js'

const zoneOption = z.object({ 'time-zone': zone.optional() })

const builder = (yargs: Argv<GlobalArguments>) =>
  yargs
    .positional('file', { type: 'string', array: true, demandOption: true, description: 'File, folder or -' })
    .options({
      // To explain files takes none.
      project: { ...projectOption.project, demandOption: false },
      explain: {
        type: 'boolean',
        default: false,
        description:
          'Say what the files are, how the agent is found, what they lack, and of unknown ones which mappings would read them; write nothing',
      },
      format: textOption('Format to read every input as (default: by its content)'),
      mapping: textOption('Saved mapping, as "mapping set" made it; what is said beside it counts'),
      map: {
        type: 'array',
        string: true,
        requiresArg: true,
        description: 'FIELD=SOURCE: where a field comes from, such as agent_name=metadata.agent; may be repeated',
      },
      'agent-speaker': {
        type: 'array',
        string: true,
        requiresArg: true,
        description: 'Label of the speaker who is the agent, where labels do not say so; may be repeated',
      },
      'time-zone': textOption('Zone of times that say none, such as Europe/Berlin (default: such times are refused)'),
      rejects: textOption('File that takes every rejected line, as NDJSON'),
      redact: {
        type: 'boolean',
        default: false,
        description: 'Mask personal data of every kind, whatever the project masks (docs/masking.md)',
      },
      evaluate: {
        type: 'boolean',
        description:
          'Evaluate calls that bring no evaluation, by rules, whatever the project says; --no-evaluate: leave them as they are',
      },
      'dry-run': {
        type: 'boolean',
        default: false,
        description:
          'Say of every file what would be stored, replaced and rejected, and as which format; write nothing',
      },
      anew: {
        type: 'boolean',
        default: false,
        description: 'Begin at the beginning, though an import of the same files was interrupted',
      },
      'restore-erased': { type: 'boolean', default: false, description: 'Take calls back that were erased' },
    })
    .example('$0 import calls.ndjson.gz --project demo', '')
    .example('$0 import transcripts/ --project demo --dry-run', 'What would become of each file')
    .example('$0 import transcripts/ --project demo --evaluate', 'Transcripts to signals, scores and coaching')
    .example('$0 import shop.ndjson.gz --project shop', 'Everything of a project, from "earshot export"')
    .example('zcat export.gz | $0 import - --project demo', '')

type ImportArguments = ArgumentsCamelCase<ReturnType<typeof builder> extends Argv<infer U> ? U : never>

/** `earshot import`: exits with 0 only when nothing was rejected. */
export const importCommand = defineCommand({
  command: 'import <file..>',
  describe: 'Import calls, or what "export" wrote, from files, folders or standard input (-)',
  builder,
  handler: async args => {
    const { project } = args
    const said = await saidOf(args)
    if (args.explain) {
      await explain(args, said)
      return
    }
    if (project === undefined) throw new UsageError('Missing required argument: project')
    const course = new ImportCourse(args)
    try {
      const into = (client: Client, config: Config) => importInto(client, config, { args, said, project, course })
      const { report, goesOn, entries, fitted } = await withClient(globalFlags(args), into, { imports: true })
      const lift = fitted?.status === 'fulfilled' ? fitted.value.lift : undefined
      const shown = {
        project_id: project,
        ...(goesOn && { went_on: goesOn }),
        ...report,
        ...(entries && { entries }),
        ...(lift && { lift }),
      }
      await print(
        args.json,
        shown,
        () => `${importLines(report, project, args.rejects)}${entryLines(entries)}${liftLines(lift)}`,
      )
      if (fitted?.status === 'rejected') throw fitted.reason
      if (report.rejected + (goesOn?.rejected ?? 0) > 0) process.exitCode = exitCode.failed
    } catch (error) {
      throw course.toldOf(error)
    } finally {
      await course.end()
    }
  },
})

/** Says what files are, and writes nothing. */
async function explain(args: ImportArguments, said: Reading): Promise<void> {
  const { explainFiles } = await import('../ingest/explain/explain-files.js')
  const { project } = args
  if (args.mapping !== undefined && project === undefined) throw new UsageError('Missing required argument: project')
  // Without a saved mapping nothing of a project has to be known.
  const whole =
    args.mapping === undefined || project === undefined
      ? said
      : await withClient(globalFlags(args), client => readingBy(client, { args, said, project }), { imports: true })
  const reading = { redact: false, mapping: [], agentSpeakers: [], timeZone: undefined, ...whole }
  const { config } = openConfig(globalFlags(args))
  const found = await explainFiles(showDash(args.file), reading, config.maxImportLineBytes)
  await print(args.json, found, () => explainLines(found))
}

/** How files are read, as the command says. */
async function saidOf(args: ImportArguments): Promise<Reading> {
  const { parseMaps } = await import('../ingest/mapping/parse-map.js')
  const { 'time-zone': timeZone } = parseOptions(zoneOption, { 'time-zone': args.timeZone })
  return {
    mapping: parseMaps(args.map ?? []),
    agentSpeakers: args.agentSpeaker ?? [],
    ...(timeZone !== undefined && { timeZone }),
    ...(args.format !== undefined && { format: args.format }),
  }
}

interface Into {
  readonly args: ImportArguments
  /** How files are read, as the command says. */
  readonly said: Reading
  readonly project: string
  readonly course: ImportCourse
}

/** How files are read, with the saved mapping that the command names. */
async function readingBy(client: Client, { args, said, project }: Omit<Into, 'course'>): Promise<Reading> {
  if (args.mapping === undefined) return said
  return readingOf(await client.run(getMapping, { project, mapping_id: args.mapping }), said)
}

/** Imports, and has outcome lift fitted where calls were evaluated. */
async function importInto(client: Client, config: Config, { args, said, project, course }: Into) {
  const { importCalls } = await import('../ingest/import-calls.js')
  const reading = await readingBy(client, { args, said, project })
  const taker = new EntryTaker(client, project)
  const files = showDash(args.file)
  const { created_at: made } = await client.run(getProject, { project_id: project })
  // What can be read once only can't be gone on with, and a dry run takes nothing.
  if (!args.dryRun && !files.includes('-')) {
    const { redact, evaluate, restoreErased } = args
    const more = { project, made, reading, redact, evaluate, restoreErased, version, line: config.maxImportLineBytes }
    course.keepIn(new KeptMark(config, { files, ...more }))
  }
  const { rejects, resume } = await course.begin()
  const work = (store: ImportTarget) =>
    importCalls({
      dryRun: args.dryRun,
      inputs: files,
      resume,
      projectId: project,
      store,
      redact: args.redact || store.redact,
      evaluate: evaluatingBy(args.evaluate, store),
      evaluatesExported: args.evaluate === true,
      takeEntries: args.dryRun ? countEntries : taker.take,
      signal: course.signal,
      restoreErased: args.restoreErased,
      maxRecordBytes: config.maxImportLineBytes,
      roomy: isRoomy(config),
      ...reading,
      ...(rejects === undefined ? {} : { rejects }),
      onProgress: progress => course.show(progress),
    })
  const report = await client.import(project, work, args.dryRun)
  course.done()
  const found = { report, goesOn: course.goesOn, entries: taker.taken }
  if ((report.evaluation?.evaluated ?? 0) === 0) return { ...found, fitted: undefined }
  // The calls are stored: what becomes of their lift must not keep their report back.
  const [fitted] = await Promise.allSettled([client.run(fitLift, { project_id: project })])
  return { ...found, fitted }
}

/** A dry run looks at the calls of a project's export alone. */
const countEntries: TakeEntries = () => Promise.resolve({ rejects: [], masked: noMasks() })

/** What an import evaluates by: as it is asked to, else as its project says. */
function evaluatingBy(
  asked: boolean | undefined,
  { evaluation, rubric }: Pick<ImportTarget, 'evaluation' | 'rubric'>,
): RunRubric | undefined {
  if (asked !== true) return asked === false || evaluation !== 'rules' ? undefined : rubric
  if (evaluation === 'model') {
    const message =
      'The project’s calls are evaluated by a model: import them, then run "earshot evaluate --with model"'
    throw new Problem('conflict', message)
  }
  if (rubric !== undefined) return rubric
  throw new Problem('conflict', 'The project’s rubric can’t be read any more; "earshot rubric show" says why')
}
