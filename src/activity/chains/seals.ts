import type { AuditChain, AuditLine, ChainList, SealedPlace } from '../../store/audit-chains.js'
import { type ChainKey, sameMac } from '../chain-key.js'

/** Seals of what a store keeps of the audit trail: without the key nobody makes one. */
const sealed = (key: ChainKey, use: string, ...parts: readonly unknown[]): string =>
  key.mac(`chain ${use}`, JSON.stringify(parts))

type Identity = Pick<AuditChain, 'number' | 'host' | 'pid' | 'started'>

export const chainSeal = (key: ChainKey, { number, host, pid, started }: Identity): string =>
  sealed(key, 'begun', number, host, pid, started)

/** What the first line of a chain follows: no line of another chain can stand there. */
export const firstMac = (key: ChainKey, chain: AuditChain['seal']): string => sealed(key, 'first', chain)

export function sealList(key: ChainKey, { first, last }: Pick<ChainList, 'first' | 'last'>): ChainList {
  return { first, last, seal: sealed(key, 'list', first, last) }
}

export function sealPlace(
  key: ChainKey,
  use: 'begins' | 'head',
  chain: number,
  { counter, mac }: Pick<SealedPlace, 'counter' | 'mac'>,
): SealedPlace {
  return { counter, mac, seal: sealed(key, use, chain, counter, mac) }
}

/** The seal of a line, which follows from that of the line before it. */
export const lineMac = (key: ChainKey, previous: string, { seq, written, event }: Omit<AuditLine, 'mac'>): string =>
  key.mac(previous, JSON.stringify({ seq, written, ...event }))

export const isSealedList = (key: ChainKey, list: ChainList): boolean => sameMac(sealList(key, list).seal, list.seal)

/** Whether a chain was taken off the list of chains, from the first on, as what is too old is: by who has the key. */
export const isBefore = (key: ChainKey, list: ChainList | undefined, chain: number): boolean =>
  list !== undefined && chain < list.first && isSealedList(key, list)

export const isSealedPlace = (key: ChainKey, use: 'begins' | 'head', chain: number, place: SealedPlace): boolean =>
  sameMac(sealPlace(key, use, chain, place).seal, place.seal)
