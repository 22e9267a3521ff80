import { z } from 'zod'
import type { PreviewedCall, UpsertPreview } from '../store/store.js'
import type { Errand } from './door.js'
import { placedId } from './import-frames.js'

export const IMPORT_PREVIEW_URL = '/control/projects/:project_id/import/preview'

/** Calls that one request asks about: their ids and hashes stay well below the limit of a body. */
const MOST_CALLS = 500

/** What the route takes. */
export const previewBody = z.strictObject({
  restore_erased: z.boolean(),
  calls: z
    .array(z.strictObject({ session_id: z.string(), agent_name: z.string(), placed: placedId.optional() }))
    .max(MOST_CALLS),
})

const sessionIds = z.array(z.string())
const answer = z.object({ replaced: sessionIds, erased: sessionIds, taken: sessionIds, besideBare: sessionIds })

/** Asks what an import would come to, some calls at a time. */
export async function previewThrough(
  ask: (errand: Errand) => Promise<object>,
  projectId: string,
  calls: readonly PreviewedCall[],
  { restoreErased = false }: { readonly restoreErased?: boolean } = {},
): Promise<UpsertPreview> {
  const found = { replaced: [] as string[], erased: [] as string[], taken: [] as string[], besideBare: [] as string[] }
  for (let start = 0; start < calls.length; start += MOST_CALLS) {
    const body = {
      restore_erased: restoreErased,
      calls: calls
        .slice(start, start + MOST_CALLS)
        .map(({ session_id, agent_name, placed }) => ({ session_id, agent_name, ...(placed && { placed }) })),
    }
    const params = { project_id: projectId }
    // oxlint-disable-next-line no-await-in-loop -- a part at a time
    const part = answer.parse(await ask({ method: 'POST', url: IMPORT_PREVIEW_URL, params, body }))
    for (const key of Object.keys(found) as (keyof typeof found)[]) found[key].push(...part[key])
  }
  return found
}
