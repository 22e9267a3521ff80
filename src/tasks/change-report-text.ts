import type { Change, ChangePart } from '../questions/changes/change.js'
import type { ChangesFound } from '../questions/detect-changes.js'

/** What names from calls may hold and Markdown would take for its own. */
const MARKS = /[\\`*_{}[\]<>()#|!~&]/g

const plain = (text: string) => text.replaceAll(MARKS, mark => `\\${mark}`)

/** Between the ids of a row; no id's text holds it. */
const BETWEEN_IDS = ', '

/** How a report shows the id of a call. */
const idText = (id: string) => plain(id).replaceAll(',', '&#44;')

/** A report of changes without the ids of some calls. */
export function reportWithoutCalls(report: string, sessionIds: ReadonlySet<string>): string {
  const left = new Set([...sessionIds].map(idText))
  const kept = (ids: string) =>
    ids
      .split(BETWEEN_IDS)
      .filter(id => !left.has(id))
      .join(BETWEEN_IDS)
  // The last cell of a row. Within cells a bar is never between two spaces: it is escaped.
  return report.replaceAll(/^(\| .* \| )(.*)( \|)$/gm, (_, cells: string, ids: string, end: string) => {
    return cells + kept(ids) + end
  })
}

/** A report of changes as Markdown: a sentence on each period, what to know of them, then a table. */
export function changeReportText(
  { window, baseline, tested, total, changes, detectable, warnings = [] }: ChangesFound,
  project: string,
): string {
  const rows = changes.flatMap(change => [
    `| ${cellsOf(change).join(' | ')} |`,
    ...(change.also ?? []).map(part => `| ${partCells(part).join(' | ')} |`),
  ])
  const listed =
    total > changes.length ? `The ${changes.length} most significant of ${total} findings` : `${total} findings`
  return [
    `# Changes in ${plain(project)}`,
    '',
    `- Period: ${window.from} to ${window.to}, ${window.calls} calls`,
    `- Compared with: ${baseline.from} to ${baseline.to}, ${baseline.calls} calls`,
    `- Time zone: ${window.time_zone}`,
    ...warnings.map(warning => `- ${warning}`),
    '',
    changes.length === 0
      ? `Nothing stands out: of ${tested} things tested none differs beyond chance and what is usual.`
      : `${listed} among ${tested} things tested. q is the chance of a false alarm, corrected for the number of tests. Rows that begin with ↳ are part of the finding above. Names come from calls.`,
    '',
    ...detectableText(detectable),
    ...(rows.length === 0
      ? []
      : [
          '| What | Change | Before | Now | Calls | q | Look at |',
          '| --- | --- | --- | --- | --- | --- | --- |',
          ...rows,
          '',
        ]),
  ].join('\n')
}

/** What would have been found, for who reads that nothing was. */
function detectableText({ score, shares }: ChangesFound['detectable']): readonly string[] {
  const of = [
    ...(score === undefined ? [] : [`a mean score that moved by ${mean(score)}`]),
    ...shares.map(one => `a share of ${share(one.share)} that moved by ${(one.change * 100).toFixed(1)} points`),
  ]
  return of.length === 0 ? [] : [`These calls would have shown four times in five: ${of.join('; ')}.`, '']
}

const SMALLEST_Q = 0.0001
const qText = (q: number) => (q < SMALLEST_Q ? '< 0.0001' : q.toFixed(4))

/** A part of a finding; its calls are those of the finding. */
function partCells(part: ChangePart): readonly string[] {
  const value = part.category === 'score' || part.category === 'agent' ? mean : share
  return [
    `↳ ${part.category} ${plain(part.display_name)}`,
    part.direction,
    value(part.baseline_value),
    value(part.value),
    '',
    `${qText(part.q_value)} (${part.significance})`,
    '',
  ]
}

function cellsOf(change: Change): readonly string[] {
  const { category, direction, occurrences, baseline_occurrences: before, q_value: q, significance } = change
  const carried = change.carried_by === undefined ? '' : `, carried by ${plain(change.carried_by)}`
  const value = category === 'score' || category === 'agent' ? mean : share
  return [
    `${category} ${plain(change.display_name)}${carried}`,
    direction,
    value(change.baseline_value),
    value(change.value),
    `${before} → ${occurrences}`,
    `${qText(q)} (${significance})`,
    (change.example_session_ids ?? []).map(idText).join(BETWEEN_IDS),
  ]
}

const share = (value: number) => `${(value * 100).toFixed(1)} %`
const mean = (value: number) => value.toFixed(2)
