import type { ReadResourceResult, Resource, ResourceTemplateType } from '@modelcontextprotocol/server'
import { UriTemplate } from '../../src/questions/uri-template.js'
import { PIXEL } from './media.js'

const template = 'test://template/{id}/data'
const matcher = new UriTemplate(template)

/** The resources that the suite expects to be listed. */
export const fixtureResources: readonly Resource[] = [
  {
    uri: 'test://static-text',
    name: 'Static Text Resource',
    description: 'A static text resource for testing',
    mimeType: 'text/plain',
  },
  {
    uri: 'test://static-binary',
    name: 'Static Binary Resource',
    description: 'A static binary resource (image) for testing',
    mimeType: 'image/png',
  },
  {
    uri: 'test://watched-resource',
    name: 'Watched Resource',
    description: 'A resource that can be subscribed to',
    mimeType: 'text/plain',
  },
]

export const fixtureTemplates: readonly ResourceTemplateType[] = [
  {
    uriTemplate: template,
    name: 'Resource Template',
    description: 'A resource template with parameter substitution',
    mimeType: 'application/json',
  },
]

/** What stands at an address of the fixture; nothing at any other. */
export function readFixtureResource(uri: string): ReadResourceResult | undefined {
  if (uri === 'test://static-text') return text(uri, 'text/plain', 'This is the content of the static text resource.')
  if (uri === 'test://watched-resource') return text(uri, 'text/plain', 'Watched resource content')
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PIXEL }] }
  const id = matcher.match(uri)?.['id']
  if (id === undefined) return undefined
  return text(uri, 'application/json', JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }))
}

function text(uri: string, mimeType: string, text: string): ReadResourceResult {
  return { contents: [{ uri, mimeType, text }] }
}
