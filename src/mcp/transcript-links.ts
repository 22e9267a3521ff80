import type { CallToolResult, ResourceLink } from '@modelcontextprotocol/server'
import { transcriptUri } from '../questions/resources/call-transcript.js'

/** The first revision that knows links to resources in an answer. */
const SINCE = '2025-06-18'

/** Whether a client may be sent links; one that names no revision speaks one from before there were any. */
export const knowsLinks = (revision: string | undefined): boolean => revision !== undefined && revision >= SINCE

/** Links to the transcripts of the calls an answer lists. They say nothing of a call but its id, which the answer has. */
export function transcriptLinks(sessionIds: readonly string[]): readonly ResourceLink[] {
  return sessionIds.map(id => ({
    type: 'resource_link',
    uri: transcriptUri(id),
    name: `Transcript of ${id}`,
    mimeType: 'application/json',
  }))
}

/** A result as clients read it that do not know links. */
export const withoutLinks = (result: CallToolResult): CallToolResult => ({
  ...result,
  content: result.content.filter(block => block.type !== 'resource_link'),
})
