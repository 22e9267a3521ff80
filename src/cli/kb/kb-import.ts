import { getProject } from '../../operations/projects.js'
import { putDocument } from '../../operations/knowledge-base.js'
import { z } from 'zod'
import { parseOptions } from '../schema-options.js'
import { defineCommand } from '../define-command.js'
import { exitCode } from '../exit-code.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { type Progress, startProgress } from '../progress.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'

const options = z.object({
  'url-base': z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
})

/** `earshot kb import`: exits with 0 only when every file was read. */
export const kbImportCommand = defineCommand({
  command: 'import <file..>',
  describe: 'Import documents: Markdown, HTML, text, PDF; again replaces those of the same name',
  builder: yargs =>
    yargs
      .positional('file', { type: 'string', array: true, demandOption: true, description: 'File or folder' })
      .options({ ...projectOption, 'url-base': textOption('Address at which people find the folder') })
      .example('$0 kb import handbook/ --project demo --url-base https://help.example.com', ''),
  handler: async args => {
    const { 'url-base': base } = parseOptions(options, { 'url-base': args.urlBase })
    const { importKnowledge } = await import('../../ingest/knowledge/import-knowledge.js')
    let bar: Progress | undefined
    try {
      const report = await withClient(globalFlags(args), async client => {
        await client.run(getProject, { project_id: args.project })
        return await importKnowledge({
          inputs: args.file,
          put: document =>
            client.run(putDocument, { project: args.project, body: document }).then(answer => answer.replaced),
          ...(base === undefined ? {} : { urlBase: new URL(base) }),
          onProgress: (done, total) => {
            bar ??= startProgress('Importing', 'documents', total)
            bar.update(done)
          },
        })
      })
      bar?.stop()
      await print(args.json, { project_id: args.project, ...report }, () =>
        [
          `${report.imported} ${report.imported === 1 ? 'document' : 'documents'} (${report.replaced} replaced), ${report.sections} ${report.sections === 1 ? 'section' : 'sections'}`,
          ...report.failed.map(({ name, reason }) => `${name}: ${reason}`),
          '',
        ].join('\n'),
      )
      if (report.failed.length > 0) process.exitCode = exitCode.failed
    } finally {
      bar?.stop()
    }
  },
})
