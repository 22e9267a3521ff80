import type { GenerateReport } from '../../demo/generate-calls.js'
import type { PlantedFact } from '../../demo/planted-facts.js'

const WHAT: Readonly<Record<PlantedFact['kind'], string>> = {
  agent_declined: 'agent declined',
  driver_rose: 'driver rose',
  signal_vanished: 'signal vanished',
}

/** What was generated and what can be found in it, for a reader. */
export function reportLines(report: GenerateReport): string {
  const { calls, agents, from, end, seed } = report
  const facts = report.planted.map(
    fact =>
      `  ${WHAT[fact.kind]}: ${fact.key}, from ${fact.from.slice(0, 10)} on, ` +
      `${fact.measure} ${fact.before ?? '-'} before and ${fact.after ?? '-'} after`,
  )
  const head = `${calls} calls of ${agents} agents, ${from.slice(0, 10)} to ${end.slice(0, 10)}, seed ${seed}. Planted:`
  return `${[head, ...facts, ...mannerLines(report)].join('\n')}\n`
}

/** More agents than this are in the JSON report only. */
const MOST_NAMES = 24

/** Who talks how. */
function mannerLines({ manners, agents }: GenerateReport): readonly string[] {
  if (agents > MOST_NAMES) return []
  const lines = new Map<string, string[]>()
  for (const { agent, manner, about, from } of manners) {
    const key = `  ${manner} (${about}): `
    const since = from === undefined ? agent : `${agent} from ${from.slice(0, 10)} on`
    lines.set(key, [...(lines.get(key) ?? []), since])
  }
  return ['How the agents talk:', ...[...lines].map(([key, names]) => `${key}${names.join(', ')}`)]
}
