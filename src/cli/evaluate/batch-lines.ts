import type { BatchReport } from '../../evaluation/run/batch-run.js'
import type { BatchStatus } from '../../evaluation/run/model-runs.js'
import type { EvaluationReport } from '../../evaluation/run/evaluation-report.js'
import { table } from '../print.js'
import { evaluationLines } from './evaluation-lines.js'
import { modelLines } from './model-lines.js'

const number = (value: number) => value.toLocaleString('en')

/** What a run by batches came to, for a reader. */
export function batchRunLines(
  report: BatchReport & Pick<EvaluationReport, 'lift'>,
  projectId: string,
  which: string,
): string {
  const { sent, requests, settled, waiting, elsewhere, unreadable } = report.batches
  const nothing = report.chosen === 0 ? modelLines(report.model).map(line => `${line}\n`) : []
  const lines = [
    `Batches: ${number(sent)} sent with ${number(requests)} requests, ${number(settled)} taken over.`,
    ...(waiting === 0
      ? []
      : [`${number(waiting)} requests are with the provider: the same command takes their answers over.`]),
    ...(elsewhere === 0
      ? []
      : [`${number(elsewhere)} batches were sent to another endpoint or model, and wait until it is set again.`]),
    ...(unreadable === 0 ? [] : [`Lines of results that can't be read: ${number(unreadable)}.`]),
  ]
  return `${evaluationLines(report, projectId, which)}${nothing.join('')}${lines.map(line => `${line}\n`).join('')}`
}

/** The batches of a project, for a reader. */
export function batchStatusLines(batches: readonly BatchStatus[], projectId: string): string {
  if (batches.length === 0) return `No batch was sent for project ${projectId}.\n`
  const rows = batches.map(one => [
    one.remote_id ?? '–',
    one.created_at.slice(0, 16).replace('T', ' '),
    one.model,
    number(one.requests),
    one.answered === undefined ? (one.done === undefined ? '–' : number(one.done)) : number(one.answered),
    stateOf(one),
  ])
  const faults = batches.flatMap(({ remote_id: name, fault }) =>
    fault === undefined ? [] : [`${name ?? '–'}: ${fault}.`],
  )
  const head = ['Batch', 'Sent (UTC)', 'Model', 'Requests', 'Done', 'State']
  return `${[table(head, rows), ...faults].join('\n')}\n`
}

function stateOf({ settled_at: settled, ended, cancelled_at: cancelled, remote_id: name }: BatchStatus): string {
  if (settled !== undefined) return 'taken over'
  if (name === undefined) return 'being sent'
  if (ended === true) return 'ended: earshot evaluate --batch takes it over'
  return cancelled === undefined ? 'with the provider' : 'being cancelled'
}
