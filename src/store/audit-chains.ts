/** Numbers of one chain: the number of a line is unique among all chains, and a double holds it exactly. */
const CHAIN_NUMBERS = 2 ** 32

/** The number of a line, from those of its chain and of it within the chain; both count from 1. */
export const seqOf = (chain: number, counter: number): number => chain * CHAIN_NUMBERS + counter
export const chainOf = (seq: number): number => Math.floor(seq / CHAIN_NUMBERS)
export const counterOf = (seq: number): number => seq % CHAIN_NUMBERS

/** A line of the audit trail as a store keeps it. */
export interface AuditLine {
  readonly seq: number
  /** When it was written, ISO 8601. */
  readonly written: string
  /** The event, its fields in the order in which they were sealed. */
  readonly event: Readonly<Record<string, unknown>>
  readonly mac: string
}

/** A place in a chain and the seal there, sealed itself. */
export interface SealedPlace {
  readonly counter: number
  readonly mac: string
  readonly seal: string
}

/** What one process wrote, from when it first wrote something until it ended or could not go on. */
export interface AuditChain {
  /** From 1; none is given twice. */
  readonly number: number
  readonly host: string
  readonly pid: number
  readonly started: string
  /** Over all of the above. */
  readonly seal: string
  /** The first line that has to be there, and the seal it follows: those before it were removed when their time was over. */
  readonly begins: SealedPlace
  /** The last line that was acknowledged. */
  readonly head: SealedPlace
}

/** Which chains have to be there: without it one that was removed whole would not be missed. */
export interface ChainList {
  readonly first: number
  readonly last: number
  readonly seal: string
}

/** The audit trail of a store of several processes: a chain for each. It keeps seals and knows nothing of them. */
export interface AuditChainStore {
  list(): Promise<ChainList | undefined>
  /** `false` where by now there is another list than the one to replace; nothing is written then. */
  putList(list: ChainList, inPlaceOf: ChainList | undefined): Promise<boolean>
  /** `false` where there is a chain of that number. */
  begin(chain: AuditChain): Promise<boolean>
  /** By their numbers. */
  chains(): Promise<readonly AuditChain[]>
  /** Adds lines; acknowledged by a majority when it resolves. */
  append(lines: readonly AuditLine[]): Promise<void>
  /** @throws Error where there is no such chain */
  putHead(chain: number, head: SealedPlace): Promise<void>
  putBegins(chain: number, begins: SealedPlace): Promise<void>
  /** Of one chain, by their numbers: those behind a counter. */
  lines(chain: number, after: number, limit: number): Promise<readonly AuditLine[]>
  /** Of one chain the first that was written at an instant (ISO 8601) or later. */
  firstSince(chain: number, instant: string): Promise<AuditLine | undefined>
  /** Removes the lines of a chain before a counter; gives back how many. */
  removeBefore(chain: number, counter: number): Promise<number>
  /** Removes a chain with all its lines. */
  removeChain(chain: number): Promise<void>
  /** All lines, by the time of their event. */
  byTime(filter?: { readonly projectId: string; readonly sessionHash: string }): AsyncIterable<AuditLine>
  /** How far lines were taken elsewhere, by chain: kept under a name. */
  position(name: string): Promise<ReadonlyMap<number, number>>
  putPosition(name: string, position: ReadonlyMap<number, number>): Promise<void>
}
