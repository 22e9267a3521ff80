import type { Masking } from '../redact/mask.js'
import type { MapRule } from './mapping/map-rule.js'

/** How an import reads its inputs, the same for all of them. Plain data: it goes to the workers as it is. */
export interface Reading {
  /** Which personal numbers, names and addresses are masked in every free text before anything is stored. */
  readonly redact: Masking
  /** Where fields of the record come from in sources that have their own names for them. */
  readonly mapping: readonly MapRule[]
  /** Labels of the speakers who are agents, where labels don't say so. */
  readonly agentSpeakers: readonly string[]
  /** IANA zone of times that say none; undefined refuses such times. */
  readonly timeZone: string | undefined
}
