import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { Trail } from '../activity/audited.js'
import type { Answering } from '../questions/answering.js'
import { ResourceNotFound } from '../questions/resource-not-found.js'
import type { Attendance } from './attend.js'
import { recordUnknown } from './record-unknown.js'
import { RESOURCE_MIME_TYPE, type ResourceRegistry } from './resource-registry.js'

/** Longest address that an error repeats, UTF-16 units. */
const ECHO_LENGTH = 100

interface ReadResourceParts {
  readonly resources: ResourceRegistry
  readonly answering: Answering
  readonly trail: Trail
}

/**
 * Answers one resources/read. The address is taken as it came: going through a URL
 * parser would change what is encoded in it.
 */
export async function readResource(
  { resources, answering, trail }: ReadResourceParts,
  { caller, ...context }: Attendance,
  uri: string,
): Promise<ReadResourceResult> {
  const found = resources.find(uri)
  if (found === undefined) {
    await recordUnknown(trail, { caller, ...context }, 'unknown resource')
    throw notFound(uri)
  }
  try {
    const content = await answering.read(found.resource, caller, found.params, context)
    return { contents: [{ uri, mimeType: RESOURCE_MIME_TYPE, text: JSON.stringify(content) }] }
  } catch (error) {
    // The same to the last byte as for an address of no resource.
    if (error instanceof ResourceNotFound) throw notFound(uri)
    throw error
  }
}

function notFound(uri: string): ResourceNotFoundError {
  return new ResourceNotFoundError(uri.slice(0, ECHO_LENGTH).toWellFormed(), 'Resource not found')
}
