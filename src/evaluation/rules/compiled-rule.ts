import type { Finding } from './finding.js'
import type { Reading } from './reading.js'

/** A rule made ready: a pure function of a reading, and what it looks at. */
export interface CompiledRule {
  readonly find: (reading: Reading) => Finding
  /** It can't be decided without reading words. */
  readonly words: boolean
  /** It can't be decided without turn times. */
  readonly times: boolean
  /** Whose turns it looks at. */
  readonly speakers: ReadonlySet<'agent' | 'customer'>
  /** Signals it asks about. */
  readonly signals: ReadonlySet<string>
}

const NOBODY: ReadonlySet<'agent' | 'customer'> = new Set()
const NOTHING: ReadonlySet<string> = new Set()

/** A rule that looks at what it says and nothing else. */
export function compiled(
  find: CompiledRule['find'],
  looks: {
    words?: boolean
    times?: boolean
    speakers?: readonly ('agent' | 'customer')[]
    signals?: readonly string[]
  },
): CompiledRule {
  return {
    find,
    words: looks.words ?? false,
    times: looks.times ?? false,
    speakers: looks.speakers === undefined ? NOBODY : new Set(looks.speakers),
    signals: looks.signals === undefined ? NOTHING : new Set(looks.signals),
  }
}

/** A rule made of others. */
export function composed(find: CompiledRule['find'], parts: readonly CompiledRule[]): CompiledRule {
  return {
    find,
    words: parts.some(({ words }) => words),
    times: parts.some(({ times }) => times),
    speakers: new Set(parts.flatMap(({ speakers }) => [...speakers])),
    signals: new Set(parts.flatMap(({ signals }) => [...signals])),
  }
}
