/** The calls of one agent in one whole month: the only groups that are told, so that no two answers differ by fewer calls. */
export interface GroupCell {
  readonly agent_id: string
  readonly agent_name: string
  /** Calls; never fewer than the least. */
  readonly calls: number
  /** Means over the calls that have a value, where they are no fewer than the least. */
  readonly average_score?: number
  readonly average_predicted_csat?: number
  readonly average_duration_s?: number
  /** Signals that as many calls show, and as many evaluated ones do not. */
  readonly signals: readonly { readonly signal_key: string; readonly present: number }[]
}
