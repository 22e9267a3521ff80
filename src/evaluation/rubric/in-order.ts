import { signalsIn } from './signals-in.js'
import type { Rule } from './rule.js'

interface Signal {
  readonly key: string
  readonly applies?: Rule | undefined
  readonly present: Rule
  readonly unclear?: Rule | undefined
  readonly absent?: Rule | undefined
}

/** A signal asks about itself, by way of the signals named. */
export class SignalCycle extends RangeError {
  readonly keys: readonly string[]

  constructor(keys: readonly string[]) {
    super(`a signal asks about itself: ${keys.join(' → ')}`)
    this.keys = keys
  }
}

/** Signals so that each comes after those its rules ask about. @throws SignalCycle */
export function inOrder<T extends Signal>(signals: readonly T[]): readonly T[] {
  const byKey = new Map(signals.map(signal => [signal.key, signal]))
  const done = new Set<string>()
  const ordered: T[] = []
  const place = (signal: T, way: readonly string[]): void => {
    if (done.has(signal.key)) return
    if (way.includes(signal.key)) throw new SignalCycle([...way.slice(way.indexOf(signal.key)), signal.key])
    for (const key of asks(signal)) {
      const other = byKey.get(key)
      if (other !== undefined) place(other, [...way, signal.key])
    }
    done.add(signal.key)
    ordered.push(signal)
  }
  for (const signal of signals) place(signal, [])
  return ordered
}

function asks({ applies, present, unclear, absent }: Signal): readonly string[] {
  return [applies, present, unclear, absent].flatMap(rule => signalsIn(rule))
}
