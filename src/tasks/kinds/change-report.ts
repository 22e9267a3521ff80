import { z } from 'zod'
import { Problem } from '../../base/problem.js'
import { reportedChange } from '../../events/kinds/told-change.js'
import { readPeriods } from '../../questions/changes/read-periods.js'
import { examples } from '../../questions/arguments.js'
import { type ChangesFound, changesInput, detectChanges } from '../../questions/detect-changes.js'
import { askAsTask } from '../ask-as-task.js'
import { changeReportText } from '../change-report-text.js'
import { folderName } from '../folders/folder-name.js'
import type { GuardedFolder } from '../../base/guarded-folder.js'
import { type TaskContext, type TaskSetting, taskKind } from '../task-kind.js'

/** Changes that an event lists. */
const MOST_IN_EVENT = 50
/** What an event says of a change, of all that was found. */
const inEvent = reportedChange.strip()

const parameters = changesInput.extend({
  period: changesInput.shape.period.default('last week'),
  // A report is read by people, who pay nothing for an id.
  examples: examples.default(3),
  deliver: z
    .enum(['file', 'event'])
    .default('file')
    .meta({ description: 'file: below the report directory; event: changes.reported, to the webhooks that want it' }),
  folder: folderName
    .optional()
    .meta({ description: 'Folder of the project below the report directory; all of the project’s when absent' }),
  format: z
    .enum(['json', 'markdown', 'both'])
    .default('both')
    .meta({ description: 'What is written: JSON as detect_changes answers, Markdown to read, or both' }),
})
type Parameters = z.output<typeof parameters>

/** Looks for changes, in the full project, and writes what it found into a report or tells it as an event. */
export const changeReport = taskKind({
  name: 'change_report',
  title: 'Report what is different from before (as detect_changes finds it) as a file or an event',
  parameters,
  isHere: ({ deliver }, { reports }) => deliver !== 'file' || reports.isSet,
  check: async (given, setting) => {
    readPeriods(given, setting.now, setting.project.timezone)
    if (given.deliver === 'file') await reportFolder(given, setting)
    else if (given.folder !== undefined) {
      throw new Problem('invalid_input', 'Parameter "folder" is for deliver "file"; an event is written nowhere')
    }
  },
  run: async (given, context) => {
    const { deliver, folder: _, format: __, ...args } = given
    const found = await askAsTask(context, detectChanges, args)
    // There may be alerts on what this found; they look by their own conditions.
    if (found.total > 0) await context.services.events.lookForChanges(context.project.project_id)
    const counts = { changes: found.total, tested: found.tested, calls: found.window.calls }
    const said = `${found.total} changes among ${found.tested} things tested, in ${found.window.calls} calls`
    if (deliver === 'event') {
      await raise(found, context)
      return { summary: `${said}; told as changes.reported`, result: counts }
    }
    const files = await write(found, given, context)
    return { summary: `${said}; written to ${files.join(' and ')}`, result: { ...counts, files } }
  },
})

function reportFolder({ folder }: Parameters, { services, project }: TaskSetting): Promise<GuardedFolder> {
  return services.reports.folder(project.project_id, folder ?? project.project_id)
}

/** Names of the files, below the report directory. */
async function write(found: ChangesFound, given: Parameters, context: TaskContext): Promise<readonly string[]> {
  const folder = await reportFolder(given, context)
  const day = (instant: string) => instant.slice(0, 10)
  // The run's id keeps reports apart; a run that is repeated has another.
  const stem = `changes-${day(found.window.from)}-to-${day(found.window.to)}-${context.runId}`
  const json = (report: ChangesFound) => `${JSON.stringify(report, undefined, 2)}\n`
  const markdown = (report: ChangesFound) => changeReportText(report, context.project.name)
  const files = [
    ...(given.format === 'markdown' ? [] : [{ name: `${stem}.json`, write: json }]),
    ...(given.format === 'json' ? [] : [{ name: `${stem}.md`, write: markdown }]),
  ].map(file => ({
    name: file.name,
    text: (isThere: (id: string) => boolean) => file.write(withExamples(found, isThere)),
  }))
  const named = found.changes.flatMap(change => change.example_session_ids ?? [])
  return await context.services.reports.write(context.project.project_id, folder, files, named)
}

function withExamples(found: ChangesFound, isThere: (id: string) => boolean): ChangesFound {
  const changes = found.changes.map(change => ({
    ...change,
    ...(change.example_session_ids && { example_session_ids: change.example_session_ids.filter(isThere) }),
  }))
  return { ...found, changes }
}

async function raise(
  { window, baseline, tested, total, changes, detectable }: ChangesFound,
  context: TaskContext,
): Promise<void> {
  await context.services.events.raise({
    event: 'changes.reported',
    project_id: context.project.project_id,
    data: {
      task_id: context.taskId,
      run_id: context.runId,
      window: { from: window.from, to: window.to, calls: window.calls },
      baseline: { from: baseline.from, to: baseline.to, calls: baseline.calls },
      tested,
      total,
      changes: changes.slice(0, MOST_IN_EVENT).map(change => inEvent.parse(change)),
      detectable,
    },
  })
}
