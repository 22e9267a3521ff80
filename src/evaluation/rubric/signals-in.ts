import type { Rule } from './rule.js'

/** The keys of the signals a rule asks about, in the order it names them. */
export function signalsIn(rule: Rule | undefined): readonly string[] {
  if (rule === undefined) return []
  const keys = [
    ...(rule.signal === undefined ? [] : [rule.signal.key]),
    ...signalsIn(rule.say?.after?.rule),
    ...(rule.all ?? []).flatMap(one => signalsIn(one)),
    ...(rule.any ?? []).flatMap(one => signalsIn(one)),
    ...signalsIn(rule.not),
  ]
  return [...new Set(keys)]
}
