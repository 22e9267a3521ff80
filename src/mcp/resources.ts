import {
  type ReadResourceResult,
  type Resource as ListedResource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import type { Caller } from '../access/caller.js'
import type { Trail } from '../activity/audited.js'
import type { Answering } from '../questions/answering.js'
import type { Resource } from '../questions/resource.js'
import { ResourceNotFound } from '../questions/resource-not-found.js'
import { UriTemplate } from '../questions/uri-template.js'
import { recordUnknown } from './protocol-failure.js'
import { type Asked, contextOf } from './request-context.js'
import type { Views } from './views.js'

/** What every resource of ours is written in. */
const RESOURCE_MIME_TYPE = 'application/json'

interface Entry {
  readonly resource: Resource
  readonly template: UriTemplate
  /** What a listing says of it, besides its address. */
  readonly texts: Pick<ResourceTemplateType, 'name' | 'title' | 'description' | 'mimeType'>
}

/** The resources by their addresses. Throws when two have the same. */
export class ResourceRegistry {
  readonly #byTemplate: ReadonlyMap<string, Entry>

  constructor(resources: readonly Resource[]) {
    this.#byTemplate = new Map(resources.map(resource => [resource.uriTemplate, entryOf(resource)]))
    if (this.#byTemplate.size < resources.length) throw new Error('Two resources have the same address')
  }

  /** The templates, all of them: which values a caller may fill in is decided when it reads. */
  get templates(): ResourceTemplateType[] {
    return [...this.#byTemplate].map(([uriTemplate, { texts }]) => ({ uriTemplate, ...texts }))
  }

  /** The addresses a caller needs nothing else to know. */
  listFor(caller: Caller): ListedResource[] {
    return [...this.#byTemplate.values()].flatMap(({ resource, template, texts }) =>
      (resource.listed?.(caller) ?? []).map(values => ({ uri: template.expand(values), ...texts })),
    )
  }

  /** The resource of a template, as its definition writes it. */
  ofTemplate(uriTemplate: string): Resource | undefined {
    return this.#byTemplate.get(uriTemplate)?.resource
  }

  /** The resource that an address leads to, and the variables in it. */
  find(uri: string): { readonly resource: Resource; readonly params: object } | undefined {
    for (const { resource, template } of this.#byTemplate.values()) {
      const params = template.match(uri)
      if (params !== undefined) return { resource, params }
    }
    return undefined
  }
}

function entryOf(resource: Resource): Entry {
  const { name, title, description, uriTemplate } = resource
  const texts = { name, title, description, mimeType: RESOURCE_MIME_TYPE }
  return { resource, template: new UriTemplate(uriTemplate), texts }
}

/** Longest address that an error repeats, UTF-16 units. */
const ECHO_LENGTH = 100

interface ReadResourceParts {
  readonly resources: ResourceRegistry
  readonly views: Views
  readonly answering: Answering
  readonly trail: Trail
}

/**
 * Answers one resources/read. The address is taken as it came: going through a URL
 * parser would change what is encoded in it.
 */
export async function readResource(
  { resources, views, answering, trail }: ReadResourceParts,
  asked: Asked,
  uri: string,
): Promise<ReadResourceResult> {
  const { request } = asked
  const { caller } = request
  const found = resources.find(uri)
  if (found === undefined) {
    const page = views.read(uri)
    if (page !== undefined) return page
    await recordUnknown(trail, request, 'unknown resource')
    throw notFound(uri)
  }
  try {
    const content = await answering.read(found.resource, caller, found.params, contextOf(asked, caller))
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
