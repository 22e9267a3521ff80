/**
 * Holds what an evaluator finds against hand-written calls whose signals somebody labelled, test/evaluation/gold.ndjson for
 * support calls and test/evaluation/sales-gold.ndjson for sales. Those named `holdout-…` (and `holdout4-…` to
 * `holdout7-…`, other hands') were never looked at when the rubrics were tuned.
 */
import { readFileSync } from 'node:fs'

/** The labelled calls of a file, one a line, as call records with what is expected of them. */
export function readGold(file) {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => {
      const { id, language, turns, expected } = JSON.parse(line)
      const transcript = turns.map((turn, place) => ({ turn: place, ...turn }))
      const call = {
        session_id: id,
        agent_name: 'Agent',
        created_dt: '2026-03-01T12:00:00.000Z',
        language_primary: language,
        transcript,
      }
      return { id, holdout: /^holdout\d*-/.test(id), call, expected }
    })
}

/**
 * Per signal: how often it is rightly, wrongly and not found present, and how often the state agrees, where a signal
 * that is absent and one that does not apply count as the same; and each call it is wrong about. Where the turns are
 * labelled that show a signal, how often one of them is quoted.
 */
export function measureGold(evaluator, calls) {
  const signals = new Map()
  const drivers = { right: 0, of: 0, wrong: [] }
  const evidence = { right: 0, of: 0, wrong: [] }
  let quotes = 0
  const badQuotes = []
  for (const { id, call, expected } of calls) {
    const { fields } = evaluator.evaluate(call, new Date(0))
    const found = fields?.signals ?? []
    const states = new Map(found.map(({ key, state }) => [key, state]))
    for (const { key, evidence = [] } of found) {
      for (const { turn, quote } of evidence) {
        quotes += 1
        if (!call.transcript[turn]?.text.includes(quote)) badQuotes.push(`${id}: ${key}`)
      }
    }
    for (const { key, state, evidence: said = [] } of found) {
      const turns = expected.evidence?.[key]
      if (state !== 'present' || said.length === 0 || turns === undefined) continue
      evidence.of += 1
      if (said.some(({ turn }) => turns.includes(turn))) evidence.right += 1
      else evidence.wrong.push(`${id}: ${key}`)
    }
    for (const [key, label] of Object.entries(expected.signals)) {
      const one = signals.get(key) ?? { key, hit: 0, extra: 0, missed: 0, agreed: 0, of: 0, wrong: [] }
      signals.set(key, one)
      const wanted = label === 'n/a' ? 'absent' : label
      // A call in which nobody can be understood has no evaluation: nothing of it is clear.
      const found = states.get(key) ?? (fields === undefined ? 'unclear' : 'absent')
      one.of += 1
      if (wanted === 'present' && found === 'present') one.hit += 1
      else if (found === 'present') one.extra += 1
      else if (wanted === 'present') one.missed += 1
      if (wanted === found) one.agreed += 1
      else one.wrong.push({ id, wanted, found })
    }
    drivers.of += 1
    const driver = fields?.interaction_driver ?? null
    if (driver === expected.driver) drivers.right += 1
    else drivers.wrong.push({ id, wanted: expected.driver, found: driver })
  }
  const rows = [...signals.values()].map(one => ({
    ...one,
    precision: one.hit + one.extra === 0 ? undefined : one.hit / (one.hit + one.extra),
    recall: one.hit + one.missed === 0 ? undefined : one.hit / (one.hit + one.missed),
  }))
  return { calls: calls.length, rows, drivers, evidence, quotes, badQuotes }
}
