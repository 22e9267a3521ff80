import { MOST_PREVIEWED, previewImport } from '../operations/socket-import.js'
import type { Client, ImportTarget } from './client.js'

/** What an import would come to, asked for some calls at a time. */
export function previewThrough(client: Pick<Client, 'run'>): ImportTarget['preview'] {
  return async (projectId, calls, { restoreErased = false } = {}) => {
    const found = {
      replaced: [] as string[],
      erased: [] as string[],
      taken: [] as string[],
      held: [] as string[],
      besideBare: [] as string[],
    }
    for (let start = 0; start < calls.length; start += MOST_PREVIEWED) {
      const some = calls.slice(start, start + MOST_PREVIEWED)
      const asked = some.map(({ session_id, agent_name, placed }) => ({
        session_id,
        agent_name,
        ...(placed && { placed }),
      }))
      const body = { restore_erased: restoreErased, calls: asked }
      // oxlint-disable-next-line no-await-in-loop -- a part at a time
      const part = await client.run(previewImport, { project_id: projectId, body })
      for (const key of Object.keys(found) as (keyof typeof found)[]) found[key].push(...part[key])
    }
    return found
  }
}
