import type { OutboxCounts } from '../store/event-store.js'
import type { SlotsLoad } from '../admission/fair-slots.js'
import type { Lane, LaneLoad } from '../store/store.js'

/** What is looked up when the metrics are asked for. Nothing here may wait or throw. */
export interface MetricsSource {
  /** Open sessions and streams of the tool server, by kind. */
  sessions(): Readonly<Record<string, number>>
  lanes(): Readonly<Record<Lane, LaneLoad>>
  /** What runs and waits for its turn, by what it is; see Admission. */
  slots(): Readonly<Record<string, SlotsLoad>>
  /** What is taken of what is counted; see Admission. */
  shares(): Readonly<Record<string, number>>
  /** What keys with a budget of their own spent, and how often it was spent; see DayBudgets. */
  budgets(): {
    readonly spent: Readonly<Record<string, number>>
    readonly refused: Readonly<Record<string, number>>
  }
  storeBytes(): number
  /** Results of the store that were given again, and that had to be found. */
  remembered(): { readonly given: number; readonly found: number }
  /** Bytes free on the disk of the data directory, as far as this user may fill it. */
  diskFreeBytes(): number
  /** Keys in the in-memory cache. */
  keys(): number
  /** Deliveries to webhooks that wait, and that were given up. */
  outbox(): OutboxCounts
  /** Whether lines can be written, the number of the last durable one. */
  audit(): { readonly healthy: boolean; readonly lastSequence: number }
}
