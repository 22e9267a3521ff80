import type { CallRecord } from '../../src/calls/call-record.js'
import type { CallStore, PreparedCall, PreviewedCall } from '../../src/store/store.js'

/** Takes calls as a store does, keeps them in memory, and remembers how they came. */
export class CallShelf implements Pick<CallStore, 'upsert' | 'preview' | 'agentIds'> {
  readonly prepared = new Map<string, PreparedCall & { readonly json: string }>()
  readonly batches: (readonly PreparedCall[])[] = []
  readonly erased = new Set<string>()
  readonly agents = new Map<string, string>()
  /** Why some can't be kept, by their ids. */
  readonly unkept = new Map<string, string>()
  failing = false

  async upsert(_projectId: string, calls: readonly PreparedCall[], options?: { restoreErased?: boolean }) {
    if (this.failing) throw new Error('disk full')
    this.batches.push(calls)
    const refused = calls.filter(({ session_id: id }) => this.erased.has(id) && options?.restoreErased !== true)
    const can = calls.filter(call => !refused.includes(call))
    const kept = can.filter(({ session_id: id }) => !this.unkept.has(id))
    const replaced = kept.filter(({ session_id: id }) => this.prepared.has(id)).length
    for (const call of kept) {
      this.prepared.set(call.session_id, { ...call, json: Buffer.from(call.json).toString() })
    }
    return {
      stored: kept.length,
      replaced,
      erased: refused.map(({ session_id: id }) => id),
      taken: [],
      held: [],
      unkept: can.flatMap(({ session_id }) => {
        const why = this.unkept.get(session_id)
        return why === undefined ? [] : [{ session_id, why }]
      }),
      besideBare: [],
    }
  }

  async preview(_projectId: string, calls: readonly PreviewedCall[], options?: { restoreErased?: boolean }) {
    const ids = calls.map(({ session_id: id }) => id)
    const erased = options?.restoreErased === true ? [] : ids.filter(id => this.erased.has(id))
    const replaced = ids.filter(id => this.prepared.has(id) && !erased.includes(id))
    return { replaced, erased, taken: [], held: [], besideBare: [] }
  }

  async agentIds() {
    return this.agents
  }

  /** A stored record, as read back. */
  record(sessionId: string): CallRecord {
    const call = this.prepared.get(sessionId)
    if (call === undefined) throw new Error(`${sessionId} was not stored`)
    const { json, placed: _, ...ids } = call
    return { ...(JSON.parse(json) as CallRecord), ...ids }
  }

  get ids(): readonly string[] {
    return [...this.prepared.keys()]
  }
}
