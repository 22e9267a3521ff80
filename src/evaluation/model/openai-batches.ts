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
import { MODEL_NAMES, saidAs, statusFault } from './fault-of.js'

/** Batches looked through for one whose name was lost: pages of a hundred, newest first. */
const MOST_PAGES = 10

const file = z.object({ id: remoteName })
const batch = z.object({
  id: remoteName,
  status: z.string(),
  input_file_id: z.string(),
  output_file_id: remoteName.nullish(),
  error_file_id: remoteName.nullish(),
  errors: z.object({ data: z.array(z.object({ message: z.string() })).nullish() }).nullish(),
  request_counts: z.object({ completed: z.int().min(0), failed: z.int().min(0) }).nullish(),
})
const batches = z.object({ data: z.array(batch), has_more: z.boolean().nullish(), last_id: remoteName.nullish() })

const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled'])

const line = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.int(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish(),
})

/** As https://platform.openai.com/docs/api-reference/batch describes it, and other providers have it too. */
export function openAiBatches(ask: AskApi, apiKey: string | undefined): BatchClient {
  const resultOf = ({ custom_id: id, response, error }: z.output<typeof line>): BatchResult => {
    if (response !== undefined && response !== null) {
      const { status_code: status, body } = response
      const text = JSON.stringify(body ?? null)
      if (status < 400) return { id, body: text }
      return { id, fault: statusFault({ status, body: text }, MODEL_NAMES, apiKey).message }
    }
    if (error?.code === 'batch_expired') return { id, fault: EXPIRED }
    if (error?.code === 'batch_cancelled') return { id, fault: CANCELLED }
    return { id, fault: `The provider could not ask the model about it${saidAs(error?.message ?? undefined, apiKey)}` }
  }
  return {
    upload: async (requests, signal) => {
      const lines = requests.map(
        ({ id, body }) =>
          `{"custom_id":${JSON.stringify(id)},"method":"POST","url":"/v1/chat/completions","body":${body}}\n`,
      )
      const form = () => {
        const data = new FormData()
        data.set('purpose', 'batch')
        data.set('file', new Blob(lines, { type: 'application/jsonl' }), 'requests.jsonl')
        return data
      }
      return readApi(file, await ask('/files', { method: 'POST', body: form, signal })).id
    },
    create: async (_, fileId, __, signal) => {
      const body = JSON.stringify({
        input_file_id: fileId,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      })
      return readApi(batch, await ask('/batches', { method: 'POST', body, signal, again: false })).id
    },
    find: async ({ fileId }, _, signal) => {
      let after = ''
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const {
          data,
          has_more: more,
          last_id: last,
        } = readApi(batches, await ask(`/batches?limit=100${after}`, { signal }))
        const found = data.find(one => one.input_file_id === fileId)
        if (found !== undefined) return found.id
        const next = last ?? data.at(-1)?.id
        if (more !== true || next === undefined) return undefined
        after = `&after=${encodeURIComponent(next)}`
      }
      return undefined
    },
    look: async (name, signal) => {
      const found = readApi(batch, await ask(`/batches/${encodeURIComponent(name)}`, { signal }))
      const { completed = 0, failed = 0 } = found.request_counts ?? {}
      const why = found.errors?.data?.[0]?.message
      return {
        ended: ENDED.has(found.status),
        done: completed + failed,
        files: [found.output_file_id, found.error_file_id].filter(id => typeof id === 'string'),
        ...(found.status === 'failed' && { refused: `The provider did not take the batch${saidAs(why, apiKey)}` }),
      }
    },
    results: async (_, { files }, signal) => {
      const parts = []
      for (const id of files) {
        const text = await ask(`/files/${encodeURIComponent(id)}/content`, { signal })
        parts.push(readResults(text, line, resultOf))
      }
      return {
        results: parts.flatMap(({ results }) => results),
        unreadable: parts.reduce((sum, { unreadable }) => sum + unreadable, 0),
      }
    },
    cancel: async (name, signal) => {
      await ask(`/batches/${encodeURIComponent(name)}/cancel`, { method: 'POST', body: '{}', signal })
    },
    forget: async (_, fileIds, signal) => {
      for (const id of fileIds) await ask(`/files/${encodeURIComponent(id)}`, { method: 'DELETE', signal })
    },
  }
}
