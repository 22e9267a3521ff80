import type { Detail } from './detail.js'

/** Something that a turn shows. */
export interface Mark {
  readonly name: string
  /** Done well, to work on, or only heard. */
  readonly tone: 'better' | 'worse' | 'plain'
  /** That the agent says there: wait. */
  readonly isHold?: boolean
}

/** The signal of a wait that is announced, as the built-in rubrics and those that extend them name it. */
const HOLD = 'sig.hold_requested'

/** What each turn shows, by its number: signals, coaching, and what holds the score down. */
export function marksOf({
  signals,
  guidance,
  scores_headline: { capped_by: cap },
}: Detail): ReadonlyMap<number, readonly Mark[]> {
  const marks = new Map<number, Mark[]>()
  const add = (turn: number, mark: Mark) => {
    const known = marks.get(turn) ?? []
    if (known.every(({ name }) => name !== mark.name)) marks.set(turn, [...known, mark])
  }
  if (cap?.turn !== undefined) add(cap.turn, { name: cap.reason ?? cap.key, tone: 'worse' })
  for (const { kind, display_name, key, evidence = [] } of guidance) {
    for (const { turn } of evidence)
      add(turn, { name: display_name ?? key, tone: kind === 'excellence' ? 'better' : 'worse' })
  }
  for (const { display_name, key, evidence = [] } of signals) {
    for (const { turn } of evidence) add(turn, { name: display_name ?? key, tone: 'plain', isHold: key === HOLD })
  }
  return marks
}

/** The gravest tone of some marks: what one spot stands for. */
export function toneOf(marks: readonly Mark[]): Mark['tone'] {
  return marks.some(({ tone }) => tone === 'worse')
    ? 'worse'
    : marks.some(({ tone }) => tone === 'better')
      ? 'better'
      : 'plain'
}
