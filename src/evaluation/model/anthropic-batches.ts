import { z } from 'zod'
import {
  type AskApi,
  type BatchClient,
  type BatchResult,
  CANCELLED,
  EXPIRED,
  readApi,
  readResults,
  remoteName,
} from './batch-client.js'
import { saidAs } from './fault-of.js'

/** Batches looked through for one whose name was lost: pages of a hundred, newest first. */
const MOST_PAGES = 10
/** How far the provider's clock may be from ours, and how long sending takes. */
const AROUND_MS = 15 * 60_000

const count = z.int().min(0)
const batch = z.object({
  id: remoteName,
  processing_status: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  request_counts: z.object({
    processing: count,
    succeeded: count,
    errored: count,
    canceled: count,
    expired: count,
  }),
})
const batches = z.object({ data: z.array(batch), has_more: z.boolean(), last_id: remoteName.nullish() })

const line = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion('type', [
    z.object({ type: z.literal('succeeded'), message: z.unknown() }),
    z.object({
      type: z.literal('errored'),
      error: z.object({ error: z.object({ message: z.string() }).nullish() }).nullish(),
    }),
    z.object({ type: z.literal('canceled') }),
    z.object({ type: z.literal('expired') }),
  ]),
})

/** As https://docs.anthropic.com/en/api/creating-message-batches describes it. */
export function anthropicBatches(ask: AskApi, apiKey: string | undefined): BatchClient {
  const resultOf = ({ custom_id: id, result }: z.output<typeof line>): BatchResult => {
    if (result.type === 'succeeded') return { id, body: JSON.stringify(result.message) }
    if (result.type === 'expired') return { id, fault: EXPIRED }
    if (result.type === 'canceled') return { id, fault: CANCELLED }
    return { id, fault: `The provider could not ask the model about it${saidAs(result.error?.error?.message, apiKey)}` }
  }
  const at = (name: string) => `/messages/batches/${encodeURIComponent(name)}`
  return {
    upload: async () => undefined,
    create: async (requests, _, beta, signal) => {
      const parts = requests.map(({ id, body }) => `{"custom_id":${JSON.stringify(id)},"params":${body}}`)
      const made = await ask('/messages/batches', {
        method: 'POST',
        body: `{"requests":[${parts.join(',')}]}`,
        signal,
        again: false,
        ...(beta !== undefined && { headers: { 'anthropic-beta': beta } }),
      })
      return readApi(batch, made).id
    },
    // The provider keeps no mark of ours: it is one of that time, with as many requests, that no other batch of ours is.
    find: async ({ requests, createdAt }, known, signal) => {
      let after = ''
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const listed = readApi(batches, await ask(`/messages/batches?limit=100${after}`, { signal }))
        const found = listed.data.find(({ id, created_at, request_counts: counts }) => {
          const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
          return !known.has(id) && total === requests && Math.abs(Date.parse(created_at) - createdAt) < AROUND_MS
        })
        if (found !== undefined) return found.id
        const oldest = listed.data.at(-1)
        if (!listed.has_more || oldest === undefined || Date.parse(oldest.created_at) < createdAt - AROUND_MS) break
        after = `&after_id=${encodeURIComponent(listed.last_id ?? oldest.id)}`
      }
      return undefined
    },
    look: async (name, signal) => {
      const { processing_status: status, request_counts: counts } = readApi(batch, await ask(at(name), { signal }))
      const { succeeded, errored, canceled, expired } = counts
      return { ended: status === 'ended', done: succeeded + errored + canceled + expired, files: [] }
    },
    // Not by the address that the batch names: the key is for the configured one alone.
    results: async (name, _, signal) => readResults(await ask(`${at(name)}/results`, { signal }), line, resultOf),
    cancel: async (name, signal) => {
      await ask(`${at(name)}/cancel`, { method: 'POST', body: '{}', signal })
    },
    forget: async (name, _, signal) => {
      await ask(at(name), { method: 'DELETE', signal })
    },
  }
}
