import { createHash } from 'node:crypto'
import type { Caller } from '../access/caller.js'
import { requesterOf } from '../access/requester-of.js'
import { groupScopeOf, scopeOf, unmaskedScopeOf } from '../access/scope-of.js'
import type { FairSlots, Places } from '../admission/fair-slots.js'
import type { Requester } from '../admission/requester.js'
import type { LoopShare } from '../admission/loop-share.js'
import type { Budgets } from '../admission/budgets.js'
import { isSpent, type Spending } from '../admission/day-budgets.js'
import type { Threads } from '../admission/threads.js'
import { Overrun } from '../base/overrun.js'
import { parseInput } from '../base/parse-input.js'
import { overTime, Problem } from '../base/problem.js'
import type { Catalogs } from '../calls/catalogs.js'
import { callFields } from '../calls/call-fields.js'
import { PREDICTED_CSAT } from '../calls/outcome-field.js'
import type { FieldType } from '../calls/field-type.js'
import {
  callSchema,
  textFreeCallSchema,
  type CountedByAny,
  countsShape,
  type Document,
  explainNarrowed,
  failedWhere,
  narrow,
  narrowCalls,
  narrowCounts,
  narrowToFuture,
  narrowToPresent,
  parsePipeline,
  type Scope,
} from '../pipeline/index.js'
import type { LiftFitRecord } from '../store/records/lift-fit.js'
import type { FeedbackRecord } from '../store/records/feedback.js'
import type { ProjectRecord } from '../store/records/project.js'
import type { FeedbackStore } from '../store/event-store.js'
import type { LiftStore } from '../store/lift-store.js'
import type { Store } from '../store/store.js'
import { groupCells, type GroupsAsked } from './group-cells.js'
import { heardTeams, type TeamLookup } from './heard-teams.js'
import { MASK_CALLS } from './masked/mask-calls.js'
import { chosenCall, showMasked } from './masked/show-masked.js'
import { refusalOf } from './may-ask.js'
import { AnswerCosts } from './answer-costs.js'
import { AnswerQueries, type Remaining } from './answer-queries.js'
import type { AnswerContext, Answering, Typed } from './answering.js'
import type { AskOptions, Asker, CountOptions, Cursors, QueryOptions } from './asker.js'
import { type Completable, type Completion, NO_VALUES } from './completion.js'
import type { Prompt } from './prompt.js'
import { projectActivity } from './project-activity.js'
import type { Scoring } from '../evaluation/rubric/scoring.js'
import type { Question } from './question.js'
import { readDocuments } from './read-document.js'
import type { Resource } from './resource.js'

/** What answering is made of. */
export interface AnsweringParts {
  readonly store: Pick<Store, 'run' | 'plan' | 'activity'> & {
    readonly calls: Pick<LiftStore, 'liftFits'>
    readonly counts: Pick<Store['counts'], 'run' | 'keepsSettled'>
  }
  readonly feedback: Pick<FeedbackStore, 'of' | 'newestVerdicts'>
  /** Copies what the audit trail holds by now into the store's activity. */
  catchUp(): Promise<void>
  /** The project a key belongs to; it exists as long as the key does. */
  project(projectId: string): ProjectRecord | undefined
  catalogs(project: ProjectRecord): Catalogs | Promise<Catalogs>
  scoring(project: ProjectRecord): Promise<Scoring>
  /** The documents of a project; undefined when it has none. */
  knowledge(projectId: string): Asker['knowledge']
  readonly teams: TeamLookup
  /** Cursors of one caller. */
  cursors(caller: Caller): Cursors
  /** Places for answers, and for those that take more than a light one may. */
  readonly light: FairSlots
  readonly heavy: Places
  readonly budgets: Pick<Budgets, 'take' | 'left'>
  /** Time of this thread, for reading what callers wrote. */
  readonly pipelineReading: LoopShare
  /** Where what was read is worked on. */
  readonly threads: Pick<Threads, 'run'>
  /** Milliseconds a whole answer may take. */
  readonly deadlineMs: number
  /** The time, milliseconds since 1970. */
  clock(): number
}

/** What our own pipelines are: longer lists than a caller may ask for, checked by the same guard. */
const OWN_DOCUMENTS = 1_000

/** Timers of Node's may end so much early, in milliseconds. */
const EARLY_MS = 2

const recordShape: ReadonlyMap<string, FieldType> = new Map(callFields.map(field => [field.name, field.type]))

/** Finds an answer with an asker, in its turn; its place is given back with it. */
async function answerWith<T>(
  parts: AnsweringParts & { readonly costs: AnswerCosts },
  caller: Caller,
  context: AnswerContext,
  answer: (asker: Asker) => T | Promise<T>,
  { asked, spending }: { readonly asked?: string | undefined; readonly spending: Spending | undefined },
): Promise<T> {
  const started = performance.now()
  // All reads of one answer share its time, and what it waits for its turn is of it too.
  const remaining = () => ({
    deadlineMs: Math.max(1, parts.deadlineMs - (performance.now() - started)),
    limitMs: parts.deadlineMs,
    ...(context.signal === undefined ? {} : { signal: context.signal }),
    worked: spending?.worked,
  })
  const requester = requesterOf(caller)
  const queries = await AnswerQueries.begin(parts, { answer: asked, requester, remaining })
  try {
    const found = await answer(await makeAsker(parts, caller, { queries, remaining, spending }))
    spending?.answered(Buffer.byteLength(JSON.stringify(found)))
    return found
  } finally {
    queries.end()
  }
}

async function makeAsker(
  parts: AnsweringParts,
  caller: Caller,
  {
    queries,
    remaining,
    spending,
  }: { readonly queries: AnswerQueries; readonly remaining: Remaining; readonly spending: Spending | undefined },
): Promise<Asker> {
  const project = parts.project(caller.project_id)
  if (project === undefined) throw new Error(`The project of a key is not there: ${caller.project_id}`)
  const now = parts.clock()
  const scope = scopeOf(caller)
  const activity = { store: parts.store.activity, catchUp: () => parts.catchUp() }
  const seesText = scope.text === 'full'
  const asCallers = {
    shape: seesText ? callSchema : textFreeCallSchema,
    now: new Date(now),
    timeZone: project.timezone,
  }
  const read = (pipeline: unknown) =>
    parts.pipelineReading.run(requesterOf(caller), remaining(), () => parsePipeline(pipeline, asCallers))
  const withTexts = (said: readonly FeedbackRecord[]) => (seesText ? said : said.map(withoutText))
  const countIn = async (
    heard: Scope,
    by: CountedByAny,
    pipeline: readonly object[],
    options: CountOptions = {},
  ): Promise<readonly Document[]> => {
    const parsed = parsePipeline(pipeline, {
      shape: countsShape({ by, packed: options.packed, roster: options.roster }),
      now: new Date(now),
      derivedFields: true,
    })
    const { spans = [{}], packed, roster, doubted, months } = options
    const asked = { by, packed, roster, spans, doubted, months, timeZone: project.timezone }
    const narrowed = narrowCounts(parsed, heard, asked, { future: options.future === true })
    const { documents } = await queries.count(narrowed, { maxDocuments: options.maxDocuments ?? OWN_DOCUMENTS })
    return documents
  }
  const asker: Asker = {
    caller,
    project,
    catalogs: await parts.catalogs(project),
    scoring: () => parts.scoring(project),
    now,
    isPastBudget: () => {
      const budget = spending === undefined ? caller.terms?.budget : undefined
      return budget !== undefined && isSpent(parts.budgets.left(caller.credential_id, budget))
    },
    apart: async (work, task) => {
      const { deadlineMs, signal, worked } = remaining()
      const until = Math.min(work.deadlineMs, deadlineMs)
      const started = performance.now()
      try {
        return await parts.threads.run({ ...work, deadlineMs: until }, task, { requester: requesterOf(caller), signal })
      } catch (error) {
        if (!(error instanceof Overrun)) throw error
        // What was left of the answer's time, which ended it, says nothing to who asked.
        const isOver = remaining().deadlineMs <= EARLY_MS
        throw isOver
          ? overTime('answer', parts.deadlineMs)
          : new Problem('too_large', `The answer ${error.took}; ask for less`)
      } finally {
        worked?.(performance.now() - started)
      }
    },
    lift: async () => {
      const fits = await parts.store.calls.liftFits(project.project_id)
      return { outcome: outcomeOfLifts(fits, project), fits: scope.agents === 'all' ? fits : undefined }
    },
    feedback: async sessionId => withTexts(await parts.feedback.of(project.project_id, sessionId)),
    verdicts: async most => {
      const heard = narrowCalls(scope, new Date(now))
      return withTexts(await parts.feedback.newestVerdicts(heard, most, remaining()))
    },
    activity: projectActivity(activity, project.project_id, remaining),
    // Documents may tell of customers too; nobody marks which.
    knowledge: seesText ? parts.knowledge(project.project_id) : undefined,
    text: scope.text,
    teams: heardTeams(parts.teams, scope),
    cursors: parts.cursors(caller),
    ask: async (pipeline: readonly object[], options: AskOptions = {}) => {
      const parsed = parsePipeline(pipeline, { shape: recordShape, now: new Date(now), derivedFields: true })
      const narrowed = options.future === true ? narrow(parsed, scope) : narrowToPresent(parsed, scope)
      const result = await queries.run(narrowed, {
        maxDocuments: options.maxDocuments ?? OWN_DOCUMENTS,
        ...(options.endsEarly && { endsEarly: true }),
      })
      return result.documents
    },
    show: async (choosing, shape, options) => {
      if (scope.text !== 'masked') return await asker.ask([...choosing, shape], options)
      const chosen = readDocuments(chosenCall, await asker.ask([...choosing, { $project: { created_dt: 1 } }], options))
      const read = async (stages: readonly object[]) => {
        const parsed = parsePipeline(stages, { shape: recordShape, now: new Date(now), derivedFields: true })
        return (await queries.run(narrow(parsed, unmaskedScopeOf(caller)), { maxDocuments: OWN_DOCUMENTS })).documents
      }
      return await showMasked(chosen, shape, { read, mask: task => asker.apart(MASK_CALLS, task) })
    },
    groups: async period => {
      const told = groupScopeOf(caller)
      const asked: GroupsAsked = {
        calls: async (pipeline, maxDocuments) => {
          const parsed = parsePipeline(pipeline, { shape: recordShape, now: new Date(now), derivedFields: true })
          return (await queries.run(narrowToPresent(parsed, told), { maxDocuments })).documents
        },
        counts: async (pipeline, span, maxDocuments) =>
          await countIn(told, 'agent', pipeline, { spans: [span], maxDocuments }),
      }
      return await groupCells(asked, period, caller.access_scope.min_group ?? 1)
    },
    count: async (by, pipeline, options) => await countIn(scope, by, pipeline, options),
    keepsSettled: parts.store.counts.keepsSettled,
    futureCalls: async () => {
      const parsed = parsePipeline([{ $count: 'calls' }], { shape: recordShape, now: new Date(now) })
      const { documents } = await queries.run(narrowToFuture(parsed, scope), { maxDocuments: 1 })
      return Number(documents[0]?.['calls'] ?? 0)
    },
    query: async (pipeline: unknown, options: QueryOptions) => {
      const parsed = await read(pipeline)
      const narrowed = narrowToPresent(parsed, scope)
      const result = await queries.run(narrowed, options).catch((error: unknown) => {
        throw failedWhere(error, pipeline)
      })
      const leftOut = narrowed.span === undefined ? 0 : await asker.futureCalls()
      return { ...result, warnings: [...parsed.warnings, ...(leftOut === 0 ? [] : [leftOutWarning(leftOut)])] }
    },
    explain: async (pipeline: unknown) => {
      const parsed = await read(pipeline)
      const scoped = narrowToPresent(parsed, scope)
      return { pipeline: explainNarrowed(scoped), plan: parts.store.plan(scoped), warnings: parsed.warnings }
    },
  }
  return asker
}

/** What lifts explain, as the fits say that made them; the setting may be a newer one. */
function outcomeOfLifts(fits: readonly LiftFitRecord[], { outcome = PREDICTED_CSAT }: ProjectRecord): string {
  const now = [...new Set(fits.map(fit => fit.outcome))]
  const before = [...new Set(fits.flatMap(fit => fit.before))]
  const said = now.length === 0 ? outcome : now.join(' or ')
  return before.length === 0 ? said : `${said}; of calls that were not fitted since: ${before.join(' or ')}`
}

function withoutText(said: FeedbackRecord): FeedbackRecord {
  const { text: _, ...rest } = said
  return rest
}

function leftOutWarning(calls: number): string {
  const what = calls === 1 ? '1 call is dated after now and was' : `${calls} calls are dated after now and were`
  return `${what} left out; a $match at the beginning that compares created_dt with a later instant takes such calls in`
}

/** What answering a key with a budget spends of it. @throws Problem `too_many_requests` when that is spent */
async function spendingOf(
  { budgets }: AnsweringParts,
  { credential_id: keyId, terms }: Caller,
): Promise<Spending | undefined> {
  return terms?.budget === undefined ? undefined : await budgets.take(keyId, terms.budget)
}

/** Throws what there is to refuse. */
function refuse(problem: Problem | undefined): void {
  if (problem !== undefined) throw problem
}

const isFlat = (value: unknown) => typeof value !== 'object' || value === null

/** Tells an answer from others; undefined of one with arguments as deep as a pipeline, which may be anything. */
function answerOf({ project, key }: Requester, question: string, args: object): string | undefined {
  if (!Object.values(args).every(one => (Array.isArray(one) ? one.every(isFlat) : isFlat(one)))) return undefined
  return createHash('sha256')
    .update(JSON.stringify([project, key, question, args]))
    .digest('base64')
}

/** Longest beginning that is completed, UTF-16 units: no name or id is longer. */
const LONGEST_TYPED = 200

/** The one way from a transport to a question. */
export function createAnswering(given: AnsweringParts): Answering {
  const parts = { ...given, costs: new AnswerCosts() }
  return {
    answer: async (question: Question, caller: Caller, args: unknown, context: AnswerContext): Promise<object> => {
      refuse(refusalOf(question, caller.access_scope))
      const input = parseInput(question.input, args ?? {}, 'argument')
      const answer = async (asker: Asker): Promise<object> => {
        // What does not fit the schema must not leave: it could be a field nobody decided to show.
        return question.output.parse(await question.answer(asker, input)) as object
      }
      // An administrator who looks through a key's eyes spends nothing of it.
      const spending = question.ofOwnKey === true ? undefined : await spendingOf(parts, caller)
      const asked = answerOf(requesterOf(caller), question.name, input as object)
      return await answerWith(parts, caller, context, answer, { asked, spending })
    },
    read: async (resource: Resource, caller: Caller, params: unknown, context: AnswerContext): Promise<object> => {
      refuse(refusalOf({}, caller.access_scope))
      const variables = parseInput(resource.params, params, 'variable')
      const read = async (asker: Asker): Promise<object> =>
        resource.output.parse(await resource.read(asker, variables)) as object
      return await answerWith(parts, caller, context, read, { spending: await spendingOf(parts, caller) })
    },
    write: async (prompt: Prompt, caller: Caller, args: unknown, context: AnswerContext): Promise<string> => {
      refuse(refusalOf({}, caller.access_scope))
      const input = parseInput(prompt.input, args ?? {}, 'argument')
      const spending = await spendingOf(parts, caller)
      return await answerWith(parts, caller, context, asker => prompt.write(asker, input), { spending })
    },
    complete: async (
      target: Completable,
      caller: Caller,
      { name, value }: Typed,
      context: AnswerContext,
    ): Promise<Completion> => {
      const complete = Object.hasOwn(target.complete, name) ? target.complete[name] : undefined
      const isRefused = refusalOf({}, caller.access_scope) !== undefined
      if (complete === undefined || value.length > LONGEST_TYPED || isRefused) return NO_VALUES
      const spending = await spendingOf(parts, caller)
      return await answerWith(parts, caller, context, asker => complete(asker, value), { spending })
    },
  }
}
