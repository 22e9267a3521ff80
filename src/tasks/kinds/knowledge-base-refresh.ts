import { z } from 'zod'
import { visibleText } from '../../base/text.js'
import { importKnowledge } from '../../ingest/knowledge/import-knowledge.js'
import { knowledgeFiles } from '../../ingest/knowledge/knowledge-files.js'
import { folderName } from '../folders/folder-name.js'
import { importFolderOf } from '../folders/import-folder-of.js'
import { taskKind } from '../task-kind.js'

const parameters = z.strictObject({
  folder: folderName,
  url_base: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .optional()
    .meta({ description: 'Address at which people find the folder' }),
  remove_missing: z
    .boolean()
    .default(false)
    .meta({ description: 'Remove documents that are not in the folder; for a knowledge base that is this folder' }),
})

/** Imports a folder of documents again: changed ones are replaced, and found by query_knowledge_base from then on. */
export const knowledgeBaseRefresh = taskKind({
  name: 'knowledge_base_refresh',
  title: 'Import a folder of documents into the knowledge base again',
  parameters,
  isHere: (_, { importDir }) => importDir !== undefined,
  check: async ({ folder }, setting) => {
    await importFolderOf(setting, folder)
  },
  run: async ({ folder: named, url_base: urlBase, remove_missing: removeMissing }, context) => {
    const { services, project, signal, log } = context
    const folder = await importFolderOf(context, named)
    const report = await importKnowledge({
      inputs: [folder.path],
      put: async draft => (await services.knowledge.put(project.project_id, draft)).replaced,
      openFile: path => folder.openFile(path),
      signal,
      ...(urlBase === undefined ? {} : { urlBase: new URL(urlBase) }),
    })
    const removed = removeMissing ? await removeOthers() : 0
    for (const { name, reason } of report.failed) log.warn({ file: name, reason }, 'a document could not be imported')
    const failed = report.failed.length
    return {
      summary: [
        `${report.imported} documents imported (${report.replaced} replaced)`,
        ...(removeMissing ? [`${removed} removed`] : []),
        ...(failed === 0 ? [] : [`${failed} could not be read`]),
      ].join(', '),
      result: {
        documents_imported: report.imported,
        documents_replaced: report.replaced,
        documents_removed: removed,
        failed: report.failed.slice(0, 20),
      },
    }

    /** A file that can't be read is still there: its document of before stays. */
    async function removeOthers(): Promise<number> {
      const names = new Set((await knowledgeFiles([folder.path])).map(({ name }) => visibleText(name).text))
      const documents = await services.knowledge.list(project.project_id)
      const gone = documents.filter(({ name }) => !names.has(name))
      for (const { kb_id: kbId } of gone) await services.knowledge.remove(project.project_id, kbId)
      return gone.length
    }
  },
})
