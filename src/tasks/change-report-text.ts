import type { Change } from '../questions/changes/change.js'
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
  { window, baseline, tested, total, changes, warnings = [] }: ChangesFound,
  project: string,
): string {
  const rows = changes.map(change => `| ${cellsOf(change).join(' | ')} |`)
  const listed =
    total > changes.length ? `The ${changes.length} most significant of ${total} changes` : `${total} changes`
  return [
    `# Changes in ${plain(project)}`,
    '',
    `- Period: ${window.from} to ${window.to}, ${window.calls} calls`,
    `- Compared with: ${baseline.from} to ${baseline.to}, ${baseline.calls} calls`,
    `- Time zone: ${window.time_zone}`,
    ...warnings.map(warning => `- ${warning}`),
    '',
    changes.length === 0
      ? `Nothing stands out: of ${tested} things tested none differs beyond chance.`
      : `${listed} among ${tested} things tested. q is the chance of a false alarm, corrected for the number of tests. Names come from calls.`,
    '',
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

function cellsOf(change: Change): readonly string[] {
  const { category, direction, occurrences, baseline_occurrences: before, q_value: q, significance } = change
  const value = category === 'score' || category === 'agent' ? mean : share
  return [
    `${category} ${plain(change.display_name)}`,
    direction,
    value(change.baseline_value),
    value(change.value),
    `${before} → ${occurrences}`,
    `${q < 0.0001 ? '< 0.0001' : q.toFixed(4)} (${significance})`,
    change.example_session_ids.map(idText).join(BETWEEN_IDS),
  ]
}

const share = (value: number) => `${(value * 100).toFixed(1)} %`
const mean = (value: number) => value.toFixed(2)
