import { Problem } from '../../base/problem.js'
import type { FeedbackPlace } from '../../store/event-store.js'
import type { MovedPart } from '../../store/moved-rows.js'
import type { Store } from '../../store/store.js'

/** A kind of what a store keeps, beside its calls. */
export interface MovedKind {
  readonly name: string
  /** All of it, some at a time. */
  rows(store: Store): AsyncIterable<readonly object[]>
  /** It is put in place of all that is there, where anything differs. */
  readonly replaces: boolean
  /** Makes a store have what another has of it. @param isThere whether the store has a row just so */
  take(target: Store, source: Store, isThere: (row: object) => boolean): Promise<void>
}

/** A kind that the parts of a store give and take: rows that are there just so are passed over. */
function kind<T extends object>(
  name: string,
  rows: (store: Store) => AsyncIterable<readonly T[]>,
  put: (store: Store, row: T) => Promise<void>,
): MovedKind {
  const take: MovedKind['take'] = async (target, source, isThere) => {
    for await (const some of rows(source)) for (const row of some) if (!isThere(row)) await put(target, row)
  }
  return { name, rows, replaces: false, take }
}

/** A kind of which all records are read at once: they are few. */
const few = <T extends object>(
  name: string,
  all: (store: Store) => Promise<readonly T[]>,
  put: (store: Store, row: T) => Promise<void>,
): MovedKind =>
  kind(
    name,
    async function* (store) {
      yield await all(store)
    },
    put,
  )

/** The same of each project. */
const ofProjects = <T extends object>(
  name: string,
  of: (store: Store, projectId: string) => Promise<readonly T[]>,
  put: (store: Store, row: T & OfProject) => Promise<void>,
): MovedKind =>
  kind(
    name,
    async function* (store) {
      for (const { project_id } of await store.projects.all()) {
        yield (await of(store, project_id)).map(row => ({ ...row, project_id }))
      }
    },
    put,
  )
type OfProject = { readonly project_id: string }

/** What no other part gives or takes, row by row; it is put in place of what is there. */
const rowByRow = (part: MovedPart): MovedKind => ({
  name: part,
  replaces: true,
  rows: store => store.moved.read(part),
  take: (target, source) => target.moved.replace(part, source.moved.read(part)),
})

/** Adds a record, or writes it anew where one of its id is there. */
async function put(insert: () => Promise<void>, update: () => Promise<void>): Promise<void> {
  try {
    await insert()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'conflict') throw error
    await update()
  }
}

const FEEDBACK_PAGE = 500
const RUNS_PAGE = 500
/** Runs of a task that are kept: as many as come. */
const ALL_RUNS = 1_000_000

/** A run of a task, beside the task as it is. */
async function* taskRuns(store: Store): AsyncGenerator<readonly TaskRun[]> {
  for (const task of await store.tasks.all()) {
    const runs: TaskRun['run'][] = []
    for (;;) {
      const before = runs.at(-1)?.run_id
      const page = await store.tasks.runs(task.task_id, { limit: RUNS_PAGE, ...(before !== undefined && { before }) })
      runs.push(...page)
      if (page.length < RUNS_PAGE) break
    }
    yield runs.toReversed().map(run => ({ run, task }))
  }
}
interface TaskRun {
  readonly run: Awaited<ReturnType<Store['tasks']['runs']>>[number]
  readonly task: Awaited<ReturnType<Store['tasks']['all']>>[number]
}

async function* feedback(store: Store): AsyncGenerator<readonly Feedback[]> {
  for (const { project_id } of await store.projects.all()) {
    for (let after: FeedbackPlace | undefined; ;) {
      const page = await store.events.feedback.page(project_id, after, FEEDBACK_PAGE)
      yield page
      after = page.at(-1)
      if (page.length < FEEDBACK_PAGE) break
    }
  }
}
type Feedback = Awaited<ReturnType<Store['events']['feedback']['page']>>[number]

/** What calls need to be there before them. */
export const beforeCalls: readonly MovedKind[] = [
  few(
    'projects',
    store => store.projects.all(),
    ({ projects }, row) =>
      put(
        () => projects.insert(row),
        () => projects.update(row),
      ),
  ),
  few(
    'teams',
    store => store.teams.all(),
    ({ teams }, row) => teams.put(row),
  ),
  few(
    'keys',
    store => store.keys.all(),
    ({ keys }, row) =>
      put(
        () => keys.insert(row),
        async () => {
          await keys.update(row)
          if (row.last_used_at !== undefined) await keys.touch(new Map([[row.key_id, row.last_used_at]]))
        },
      ),
  ),
  few(
    'connections',
    store => store.oauth.all(),
    ({ oauth }, row) => oauth.put(row),
  ),
  few(
    'rubrics',
    store => store.rubrics.all(),
    ({ rubrics }, row) => rubrics.add(row),
  ),
  few(
    'knowledge',
    store => store.knowledge.all(),
    async ({ knowledge }, row) => void (await knowledge.put(row)),
  ),
  few(
    'mappings',
    store => store.imports.mappings.all(),
    ({ imports }, row) => imports.mappings.put(row),
  ),
  few(
    'inbound_webhooks',
    store => store.imports.inbound.all(),
    ({ imports }, row) => imports.inbound.put(row),
  ),
  ...(['erasure_secrets', 'erased_calls', 'erasures', 'inbound_taken'] as const).map(rowByRow),
]

/** What is about calls, and last what acts on what happens: so that nobody is told of calls that move. */
export const behindCalls: readonly MovedKind[] = [
  ofProjects(
    'lift_fits',
    (store, id) => store.calls.liftFits(id),
    ({ calls }, { project_id, ...fit }) => calls.writeLiftFit(project_id, fit),
  ),
  kind('feedback', feedback, async ({ events }, { project_id, ...row }) => {
    await events.feedback.restore(project_id, [row])
  }),
  ...(['report_calls', 'model_answers'] as const).map(rowByRow),
  kind(
    'model_batches',
    async function* ({ projects, modelBatches }) {
      for (const { project_id } of await projects.all()) {
        for (const batch of await modelBatches.of(project_id)) {
          yield [{ batch, calls: await modelBatches.calls(project_id, batch.batch_id) }]
        }
      }
    },
    ({ modelBatches }, { batch, calls }) => modelBatches.begin(batch, calls),
  ),
  ofProjects(
    'holds',
    (store, id) => store.privacy.holds(id),
    async ({ privacy }, row) => {
      await privacy.releaseHold(row.project_id, row.hold_id)
      await privacy.placeHold(row)
    },
  ),
  ofProjects(
    'approvals',
    (store, id) => store.privacy.approvals(id),
    async ({ privacy }, row) => {
      await privacy.takeApproval(row.project_id, row.approval_id)
      await privacy.putApproval(row)
    },
  ),
  few(
    'alerts',
    store => store.events.alerts.all(),
    ({ events }, row) => events.alerts.put(row),
  ),
  few(
    'webhooks',
    store => store.events.webhooks.all(),
    ({ events }, row) => events.webhooks.put(row),
  ),
  ...(['noted_calls', 'event_deliveries'] as const).map(rowByRow),
  few(
    'tasks',
    store => store.tasks.all(),
    async ({ tasks }, row) => {
      const there = (await tasks.all()).some(({ task_id }) => task_id === row.task_id)
      await (there ? tasks.update(row) : tasks.insert(row))
    },
  ),
  kind('task_runs', taskRuns, ({ tasks }, { run, task }) => tasks.putRun(run, task, { keep: ALL_RUNS })),
]
