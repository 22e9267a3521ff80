import { mapFields } from '../base/fields.js'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { SlotsLoad } from '../admission/fair-slots.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { ImportCounts, ImportMeter } from './import-meter.js'
import type { MetricsSource } from './metrics-source.js'
import type { MeasuredRun, TaskMeter } from './task-meter.js'
import type { MeasuredRequest, RequestMeter } from './request-meter.js'

/** Seconds. A light tool takes milliseconds, a heavy query up to its deadline of 10 s. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Seconds. A report takes tenths of one, an import of a full drop folder minutes. */
const TASK_BUCKETS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600]

/**
 * What the operator can watch, in Prometheus' text format. A registry of its own, so that several services in one
 * process (tests) don't add up. Labels come from fixed lists: never a project, an agent, a key or a caller's own words.
 */
export class Metrics implements RequestMeter, ImportMeter, TaskMeter {
  readonly #registry = new Registry()
  readonly #requests = new Counter({
    name: 'earshot_requests_total',
    help: 'Requests answered, by tool or route',
    labelNames: ['transport', 'page', 'outcome'],
    registers: [this.#registry],
  })
  readonly #seconds = new Histogram({
    name: 'earshot_request_duration_seconds',
    help: 'How long answers took, the audit line included',
    labelNames: ['transport', 'page'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #refusals = new Counter({
    name: 'earshot_refusals_total',
    help: 'Requests refused or failed, by the code of the error',
    labelNames: ['transport', 'code'],
    registers: [this.#registry],
  })
  readonly #imported = new Counter({
    name: 'earshot_import_calls_total',
    help: 'Calls that came in through imports, by what became of them',
    labelNames: ['result'],
    registers: [this.#registry],
  })
  readonly #imports = new Counter({
    name: 'earshot_imports_total',
    help: 'Imports that ran to their end',
    registers: [this.#registry],
  })
  readonly #taskRuns = new Counter({
    name: 'earshot_task_runs_total',
    help: 'Runs of scheduled tasks that ended, by how',
    labelNames: ['kind', 'outcome'],
    registers: [this.#registry],
  })
  readonly #taskSeconds = new Histogram({
    name: 'earshot_task_duration_seconds',
    help: 'How long runs of scheduled tasks took',
    labelNames: ['kind'],
    buckets: TASK_BUCKETS,
    registers: [this.#registry],
  })
  readonly #taskSkips = new Counter({
    name: 'earshot_task_skips_total',
    help: 'Times of scheduled tasks that passed while the same task was running',
    labelNames: ['kind'],
    registers: [this.#registry],
  })

  readonly #deliveries = new Counter({
    name: 'earshot_webhook_attempts_total',
    help: 'Attempts to tell a webhook of an event; dead: the last one, given up',
    labelNames: ['result'],
    registers: [this.#registry],
  })
  readonly #deliverySeconds = new Histogram({
    name: 'earshot_webhook_attempt_duration_seconds',
    help: 'How long receivers took to answer, or not to',
    buckets: BUCKETS,
    registers: [this.#registry],
  })

  /** @param version of the program, shown as a label of earshot_info */
  constructor(version: string, source: MetricsSource) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    const info = new Gauge({ name: 'earshot_info', help: 'The running program', labelNames: ['version'], registers })
    info.set({ version }, 1)
    this.#gauge('earshot_store_bytes', 'Size of the store on disk', () => source.storeBytes())
    this.#gauge('earshot_disk_free_bytes', 'Room left where the data directory is', () => source.diskFreeBytes())
    this.#gauge('earshot_keys', 'Application keys that are accepted', () => source.keys())
    this.#gauge('earshot_audit_healthy', '1 while audit lines can be written', () => Number(source.audit().healthy))
    this.#gauge('earshot_audit_last_sequence', 'Number of the last durable line', () => source.audit().lastSequence)
    this.#gauge('earshot_webhook_outbox', 'Deliveries that wait', () => source.outbox().pending)
    this.#gauge('earshot_webhook_dead_letters', 'Deliveries that were given up', () => source.outbox().dead)
    this.#counted('earshot_query_results_total', 'Results of the store, found or given again', 'how', () => {
      const { found, given } = source.remembered()
      return { found, remembered: given }
    })
    this.#counted('earshot_budget_spent_total', 'What keys with a budget spent', 'kind', () => source.budgets().spent)
    const refused = () => source.budgets().refused
    this.#counted('earshot_budget_refusals_total', 'Requests of keys whose budget of a day was spent', 'kind', refused)
    this.#labelled('earshot_open_sessions', 'Open MCP sessions and streams', 'kind', () => source.sessions())
    this.#labelled('earshot_queries_running', 'Queries that run', 'lane', () => each(source.lanes(), 'running'))
    this.#labelled('earshot_queries_waiting', 'Queries that wait', 'lane', () => each(source.lanes(), 'waiting'))
    this.#labelled('earshot_work_running', 'Work that has a place', 'kind', () => each(source.slots(), 'running'))
    this.#labelled('earshot_shares_taken', 'What is taken of what callers share', 'kind', () => source.shares())
    this.#labelled('earshot_work_waiting', 'Work that waits for one', 'kind', () => each(source.slots(), 'waiting'))
  }

  /** What text() is served as. */
  get contentType(): string {
    return this.#registry.contentType
  }

  /** Everything, looked up now. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  answered({ transport, page, outcome, code, seconds }: MeasuredRequest): void {
    this.#requests.inc({ transport, page, outcome })
    this.#seconds.observe({ transport, page }, seconds)
    if (code !== undefined) this.refused(transport, code)
  }

  refused(transport: ActivityTransport, code: string): void {
    this.#refusals.inc({ transport, code })
  }

  /** An attempt to tell a webhook; see DeliveryMeter. */
  attempted(result: 'delivered' | 'retried' | 'dead', seconds: number): void {
    this.#deliveries.inc({ result })
    this.#deliverySeconds.observe(seconds)
  }

  imported({ stored, duplicates, rejected }: ImportCounts): void {
    this.#imports.inc()
    this.#imported.inc({ result: 'stored' }, stored)
    this.#imported.inc({ result: 'duplicate' }, duplicates)
    this.#imported.inc({ result: 'rejected' }, rejected)
  }

  ran({ kind, outcome, seconds }: MeasuredRun): void {
    this.#taskRuns.inc({ kind, outcome })
    this.#taskSeconds.observe({ kind }, seconds)
  }

  skipped(kind: string): void {
    this.#taskSkips.inc({ kind })
  }

  #gauge(name: string, help: string, look: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [], collect: (): void => gauge.set(look()) })
    this.#registry.registerMetric(gauge)
  }

  #labelled(name: string, help: string, label: string, look: () => Readonly<Record<string, number>>): void {
    const collect = (): void => {
      for (const [value, count] of Object.entries(look())) gauge.set({ [label]: value }, count)
    }
    const gauge = new Gauge({ name, help, labelNames: [label], registers: [], collect })
    this.#registry.registerMetric(gauge)
  }

  /** Counts that are kept elsewhere. */
  #counted(name: string, help: string, label: string, look: () => Readonly<Record<string, number>>): void {
    const collect = (): void => {
      counter.reset()
      for (const [value, count] of Object.entries(look())) counter.inc({ [label]: value }, count)
    }
    const counter = new Counter({ name, help, labelNames: [label], registers: [], collect })
    this.#registry.registerMetric(counter)
  }
}

function each(loads: Readonly<Record<string, SlotsLoad>>, what: keyof SlotsLoad): Record<string, number> {
  return mapFields(loads, load => load[what])
}
