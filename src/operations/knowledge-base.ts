import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { echo, isUnprintable } from '../base/text.js'
import {
  documentView,
  documentViewOf,
  knowledgeDocument,
  MOST_DOCUMENT_BYTES,
} from '../store/records/knowledge-document.js'
import { operation } from './operation.js'

const DOCUMENTS = '/api/v1/knowledge-base'
const DOCUMENT = `${DOCUMENTS}/:kb_id`

/** UTF-16 units of one section, which is indexed in one go: that of files has 4,000. */
const SECTION_LENGTH = 100_000

/** Of 4,000 characters, as files are cut into, all that a body can hold is a third of that. */
const MOST_SECTIONS = 30_000

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine(text => !isUnprintable(text), 'must not hold control characters or lone surrogates')

const newDocument = z.strictObject({
  name: line(1_000).meta({ description: 'Such as a path; a document of the same name is replaced' }),
  title: line(1_000),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .max(4_000)
    .exactOptional()
    .meta({
      description: 'Where people read it',
    }),
  sections: z
    .array(
      z.strictObject({
        title: line(1_000).exactOptional().meta({ description: 'Its heading' }),
        text: z
          .string()
          .min(1)
          .max(SECTION_LENGTH)
          .refine(text => text.isWellFormed(), 'must not hold lone surrogates')
          .meta({ description: 'Plain text, a few thousand characters at best' }),
      }),
    )
    .min(1)
    .max(MOST_SECTIONS)
    .meta({ description: 'The document in pieces, such as from one heading to the next: what a search finds' }),
})

export const listDocuments = operation({
  method: 'GET',
  url: DOCUMENTS,
  access: 'administrator',
  summary: 'List the documents of the knowledge base',
  table: 'documents',
  answer: z.strictObject({ documents: z.array(documentView) }),
  run: async ({ knowledge }, _, { project_id: projectId }) => {
    return { documents: (await knowledge.list(projectId)).map(documentViewOf) }
  },
})

export const putDocument = operation({
  method: 'POST',
  url: DOCUMENTS,
  access: 'administrator',
  summary: 'Add a document to the knowledge base, or replace the one of its name',
  example: {
    body: { name: 'refunds.md', title: 'Refunds', sections: [{ title: 'How long', text: 'Within 14 days.' }] },
  },
  status: 201,
  body: newDocument,
  bodyBytes: MOST_DOCUMENT_BYTES,
  answer: documentView.extend({ replaced: z.boolean() }),
  run: async ({ knowledge }, request, { project_id: projectId }) => {
    const { document, replaced } = await knowledge.put(projectId, request.body())
    return { ...documentViewOf(document), replaced }
  },
})

export const getDocument = operation({
  method: 'GET',
  url: DOCUMENT,
  access: 'administrator',
  summary: 'Get a document of the knowledge base',
  description: 'With its text, in the form that adding takes.',
  answer: documentView.extend({ sections: newDocument.shape.sections }),
  run: async ({ knowledge }, request, { project_id: projectId }) => {
    const kbId = request.param('kb_id')
    const found = await knowledge.get(projectId, kbId)
    if (found === undefined) throw new Problem('not_found', `Document not found: ${echo(kbId)}`)
    return knowledgeDocument.show(found)
  },
})

export const removeDocument = operation({
  method: 'DELETE',
  url: DOCUMENT,
  access: 'administrator',
  summary: 'Remove a document from the knowledge base',
  status: 204,
  run: async ({ knowledge }, request, { project_id: projectId }) => {
    const kbId = request.param('kb_id')
    if (await knowledge.remove(projectId, kbId)) return {}
    throw new Problem('not_found', `Document not found: ${echo(kbId)}`)
  },
})

/** The documents of a project's knowledge base, by an administrator. */
export const knowledgeOperations = [listDocuments, putDocument, getDocument, removeDocument] as const
