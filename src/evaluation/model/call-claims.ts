import { createHash } from 'node:crypto'
import type { Claim, Leases } from '../../store/leases.js'
import type { ModelQuestion } from '../../store/model-answer-store.js'
import type { ModelBatchStore } from '../../store/model-batch-store.js'

/** The same is asked about a call already: it would be paid for twice. */
export class AskedElsewhere extends Error {
  override readonly name = 'AskedElsewhere'
}

/** Has one run at a time ask a model about a call, of all that evaluate at once, in whatever process. */
export class CallClaims {
  readonly #leases: Leases
  readonly #batches: ModelBatchStore | undefined
  /** What is asked in batches that wait, by their ids: it does not change. */
  readonly #sent = new Map<string, ReadonlySet<string>>()

  /** @param batches where it is looked whether a call is with the provider already; absent: nowhere */
  constructor(leases: Leases, batches?: ModelBatchStore) {
    this.#leases = leases
    this.#batches = batches
  }

  /**
   * Taken before it is looked whether there is an answer, and given back when there is one: so whoever comes next finds it.
   * @throws AskedElsewhere
   */
  async take(question: ModelQuestion): Promise<Claim> {
    const claim = await this.#leases.claim(`model-question:${hashOf(question)}`)
    if (claim === undefined) throw new AskedElsewhere('Another run is asking the model about it')
    try {
      if (await this.#isSent(question)) {
        throw new AskedElsewhere('It is with the provider in a batch: evaluate --batch takes the answer over')
      }
    } catch (error) {
      await claim.release()
      throw error
    }
    return claim
  }

  async #isSent(question: ModelQuestion): Promise<boolean> {
    if (this.#batches === undefined) return false
    const { project_id: project } = question
    const waiting = (await this.#batches.of(project)).filter(({ settled_at: settled }) => settled === undefined)
    for (const { batch_id: id } of waiting) {
      const known = this.#sent.get(id)
      // oxlint-disable-next-line no-await-in-loop -- few, and each once
      const sent = known ?? new Set((await this.#batches.calls(project, id)).map(call => keyOf(call)))
      this.#sent.set(id, sent)
      if (sent.has(keyOf(question))) return true
    }
    return false
  }
}

/** Ids of calls are their senders', of any length. */
function hashOf({ project_id, session_id, request }: ModelQuestion): string {
  return createHash('sha256')
    .update(JSON.stringify([project_id, session_id, request]))
    .digest('hex')
}

function keyOf({ session_id: id, request }: Pick<ModelQuestion, 'session_id' | 'request'>): string {
  return `${request} ${id}`
}
