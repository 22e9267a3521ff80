import { getMapping } from '../operations/mappings.js'
import { type Reading, readingOf } from '../ingest/mapping/saved-mappings.js'
import { fitLift } from '../operations/evaluation.js'
import { truncateSync, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { z } from 'zod'
import { parseOptions } from './schema-options.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { timeZone as zone } from '../base/time-zone.js'
import type { Client, ImportTarget } from '../control/client.js'
import type { TakeEntries } from '../ingest/entries.js'
import type { GoesOn, Resume } from '../ingest/import-mark.js'
import { getProject } from '../operations/projects.js'
import { noMasks } from '../redact/mask.js'
import type { RunRubric } from '../evaluation/run/evaluate-batch.js'
import { isRoomy } from '../config/memory.js'
import { defineCommand } from './define-command.js'
import { liftLines } from './evaluate/lift-lines.js'
import { exitCode } from './exit-code.js'
import { globalFlags } from './global-options.js'
import { explainLines } from './import/explain-lines.js'
import { entryLines } from './import/entry-lines.js'
import { importLines } from './import/import-lines.js'
import { KeptMark } from './import/kept-mark.js'
import { openConfig } from './open-config.js'
import { UsageError } from './usage-error.js'
import { openRejects } from './import/open-rejects.js'
import { showDash } from './import/standard-input.js'
import { EntryTaker } from './import/take-entries.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { projectOption } from './project-option.js'
import { textOption } from './text-option.js'
import { untilInterrupted } from './until-signal.js'
import { version } from './version.js'
import { withClient } from './with-client.js'

const zoneOption = z.object({ 'time-zone': zone.optional() })

/** `earshot import`: exits with 0 only when nothing was rejected. */
export const importCommand = defineCommand({
  command: 'import <file..>',
  describe: 'Import calls, or what "export" wrote, from files, folders or standard input (-)',
  builder: yargs =>
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
      .example('zcat export.gz | $0 import - --project demo', ''),
  handler: async args => {
    const { parseMaps } = await import('../ingest/mapping/parse-map.js')
    const { 'time-zone': timeZone } = parseOptions(zoneOption, { 'time-zone': args.timeZone })
    const beside: Reading = {
      mapping: parseMaps(args.map ?? []),
      agentSpeakers: args.agentSpeaker ?? [],
      ...(timeZone !== undefined && { timeZone }),
      ...(args.format !== undefined && { format: args.format }),
    }
    const readingBy = async (client: Client, project: string): Promise<Reading> =>
      args.mapping === undefined
        ? beside
        : readingOf(await client.run(getMapping, { project, mapping_id: args.mapping }), beside)
    if (args.explain) {
      const { explainFiles } = await import('../ingest/explain/explain-files.js')
      const { project } = args
      if (args.mapping !== undefined && project === undefined)
        throw new UsageError('Missing required argument: project')
      // Without a saved one nothing of a project has to be known.
      const said =
        args.mapping === undefined || project === undefined
          ? beside
          : await withClient(globalFlags(args), client => readingBy(client, project), { imports: true })
      const reading = { redact: false, mapping: [], agentSpeakers: [], timeZone: undefined, ...said }
      const { config } = openConfig(globalFlags(args))
      const found = await explainFiles(showDash(args.file), reading, config.maxImportLineBytes)
      await print(args.json, found, () => explainLines(found))
      return
    }
    const { project } = args
    if (project === undefined) throw new UsageError('Missing required argument: project')
    let rejects: WriteStream | undefined
    let kept: KeptMark | undefined
    const abort = new AbortController()
    const { signal } = abort
    void untilInterrupted().then(() =>
      abort.abort(new Problem('cancelled', 'The import was interrupted; the calls stored so far stay')),
    )
    const { importCalls } = await import('../ingest/import-calls.js')
    let bar: Progress | undefined
    try {
      const {
        report,
        goesOn,
        entries,
        lift: [fitted] = [],
      } = await withClient(
        globalFlags(args),
        async (client, config) => {
          const reading = await readingBy(client, project)
          const taker = new EntryTaker(client, project)
          const files = showDash(args.file)
          const { created_at: made } = await client.run(getProject, { project_id: project })
          // What can be read once only can't be gone on with, and a dry run takes nothing.
          if (!args.dryRun && !files.includes('-')) {
            const { redact, evaluate, restoreErased } = args
            const more = {
              project,
              made,
              reading,
              redact,
              evaluate,
              restoreErased,
              version,
              line: config.maxImportLineBytes,
            }
            kept = new KeptMark(config.dataDir, { files, ...more })
          }
          const { at, mark: from } = (args.anew ? undefined : kept?.read()) ?? {}
          if (args.rejects !== undefined) rejects = await openRejects(args.rejects, from === undefined ? 'w' : 'a')
          let goesOn: GoesOn | undefined
          const resume: Resume | undefined = kept && {
            from,
            keep: mark => kept?.keep(mark),
            onBegin: place => {
              goesOn = place
              if (place === undefined && args.rejects !== undefined) truncateSync(args.rejects)
              process.stderr.write(`${resumeLine(place, at)}\n`)
            },
          }
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
              signal,
              restoreErased: args.restoreErased,
              maxRecordBytes: config.maxImportLineBytes,
              roomy: isRoomy(config),
              ...reading,
              ...(rejects === undefined ? {} : { rejects }),
              onProgress: ({ bytes, total_bytes: total, received }) => {
                bar ??= startProgress('Importing', 'bytes', total, { counting: 'calls', lines: true })
                bar.update(bytes, received)
              },
            })
          const report = await client.import(project, work, args.dryRun)
          bar?.stop()
          kept?.remove()
          const entries = taker.taken
          if ((report.evaluation?.evaluated ?? 0) === 0) return { report, goesOn, entries, lift: undefined }
          // The calls are stored: what becomes of their lift must not keep their report back.
          return {
            report,
            goesOn,
            entries,
            lift: await Promise.allSettled([client.run(fitLift, { project_id: project })]),
          }
        },
        { imports: true },
      )
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
      if (kept?.flush() !== true) throw error
      const stays = 'the calls stored so far stay, and the same command goes on behind them'
      if (signal.aborted) throw new Problem('cancelled', `The import was interrupted; ${stays}`)
      // What ends it by itself, such as a full disk: in the same command, when there is room.
      if (error instanceof Problem && error.code === 'store_unavailable')
        throw new Problem(error.code, `${error.message}; ${stays}`)
      throw error
    } finally {
      bar?.stop()
      rejects?.end()
      if (rejects !== undefined) await finished(rejects)
    }
  },
})

/** A dry run looks at the calls of a project's export alone. */
const countEntries: TakeEntries = () => Promise.resolve({ rejects: [], masked: noMasks() })

/** Where an import goes on that was interrupted. @param at when it was */
function resumeLine(place: GoesOn | undefined, at: string | undefined): string {
  const when = at === undefined ? '' : ` at ${at}`
  if (place === undefined) {
    return `This import was interrupted${when}; it begins at the beginning, since the files that were done are others now.`
  }
  const { file, number, files, line, stored } = place
  return `Goes on where this import was interrupted${when}: file ${number} of ${files}, ${echo(file)}, line ${line}; ${stored} calls were stored before. --anew begins at the beginning.`
}

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
