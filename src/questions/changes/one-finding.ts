import type { Catalogs } from '../../calls/catalogs.js'
import type { Found } from './change.js'

/** A finding: what stands for it, and what says the same or follows from it. */
export interface Finding {
  readonly head: Found
  readonly also: readonly Found[]
}

/**
 * Puts what is one finding together: what one agent carries stands under that agent, guidance under the signal that
 * triggers it, a rubric's dimension under the score made of it.
 * @param found ranked; heads stay in this order
 */
export function oneFindingEach(found: readonly Found[], catalogs: Catalogs): readonly Finding[] {
  const parents = found.map(one => parentOf(one, found, catalogs))
  // What stands under something that itself stands under another stands under that.
  const headOf = (at: number): number => {
    let here = at
    for (let steps = 0; steps < found.length && parents[here] !== undefined; steps += 1) here = parents[here]!
    return here
  }
  const also = new Map<number, Found[]>()
  for (const [at, one] of found.entries()) {
    const head = headOf(at)
    if (head === at) also.set(at, also.get(at) ?? [])
    else also.set(head, [...(also.get(head) ?? []), one])
  }
  return found.flatMap((head, at) => (headOf(at) === at ? [{ head, also: also.get(at) ?? [] }] : []))
}

const sameWay = (a: Found, b: Found) => Math.sign(a.delta) === Math.sign(b.delta)

/** What a change stands under, by its place; undefined where it stands for itself. */
function parentOf(one: Found, found: readonly Found[], { guidance }: Catalogs): number | undefined {
  const place = (is: (other: Found) => boolean) => {
    const at = found.findIndex(other => other !== one && is(other))
    return at < 0 ? undefined : at
  }
  if (one.category === 'agents') return undefined
  if (one.carrier !== undefined) {
    const { carrier } = one
    const agent = place(other => other.category === 'agents' && other.agent === carrier)
    // Without a change of the agent's own score the first of what the agent carries stands for the rest.
    const first = agent ?? found.findIndex(other => other.carrier === carrier)
    return found[first] === one ? undefined : first
  }
  if (one.category === 'guidance') {
    const keys = new Set(guidance.get(one.key)?.signal_keys)
    return place(other => other.category === 'signals' && keys.has(other.key) && other.carrier === undefined)
  }
  if (one.category === 'scores' && one.key !== 'score') {
    return place(
      other =>
        other.category === 'scores' && other.key === 'score' && sameWay(one, other) && other.carrier === undefined,
    )
  }
  return undefined
}
