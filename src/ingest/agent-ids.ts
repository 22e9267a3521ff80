import { createHash } from 'node:crypto'

/** Longest slug: with `-` and a hash of up to 12 hex digits it stays within the 200 characters of an id. */
const SLUG_LENGTH = 180

/** The words of a name in lower case, joined by `-`; marks belong to their letters, as most scripts of India need. */
function slugOf(agentName: string): string {
  const words =
    agentName
      .toLowerCase()
      .normalize('NFC')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.join('-').slice(0, SLUG_LENGTH).toWellFormed()
}

/** The slug with `-` and so many hex digits of the name's SHA-256: for names without letters, or with another's slug. */
function hashedIdOf(agentName: string, digits: number): string {
  const hash = createHash('sha256').update(agentName).digest('hex')
  return `${slugOf(agentName)}-${hash.slice(0, digits)}`
}

/** Hex digits of the usual hash; the longer one is for the one pair of names in 16 million that shares it. */
const HASH_DIGITS = 6
const LONGER_HASH_DIGITS = 12

/**
 * Gives agents without an agent_id theirs, the same one all through an import and in later ones: it knows every id the
 * project has given, so it is asked in one thread only, in the order of the input.
 */
export class AgentIds {
  readonly #names: Map<string, string>
  readonly #given = new Map<string, string>()

  /** @param names the project's agents by agent_id, as the store knows them */
  constructor(names: ReadonlyMap<string, string>) {
    this.#names = new Map(names)
  }

  /** The id of an agent: the record's own, or the one made from the name. */
  idOf(agentName: string, agentId: string | undefined): string {
    if (agentId !== undefined) {
      if (!this.#names.has(agentId)) this.#names.set(agentId, agentName)
      return agentId
    }
    const given = this.#given.get(agentName)
    if (given !== undefined) return given
    const candidates = [
      slugOf(agentName),
      hashedIdOf(agentName, HASH_DIGITS),
      hashedIdOf(agentName, LONGER_HASH_DIGITS),
    ]
    const id =
      candidates.find(candidate => candidate !== '' && this.#isFree(candidate, agentName)) ?? candidates.at(-1)!
    this.#names.set(id, agentName)
    this.#given.set(agentName, id)
    return id
  }

  #isFree(id: string, agentName: string): boolean {
    const holder = this.#names.get(id)
    return holder === undefined || holder === agentName
  }
}
