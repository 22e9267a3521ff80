import { getProject } from '../../operations/projects.js'
import { compile, explainNarrowed, narrow, parsePipeline } from '../../pipeline/index.js'
import { callSchema } from '../../pipeline/call-schema.js'
import { scope } from '../../pipeline/scope.js'
import { callSource } from '../../store/duckdb/reading/call-source.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { showDash } from '../import/standard-input.js'
import { print } from '../print.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'
import { explanationLines } from './explanation-lines.js'
import { readJson } from './read-input.js'

/** `earshot pipeline explain`: nothing is run; without --project no store is looked at either. */
export const pipelineExplainCommand = defineCommand({
  command: 'explain <pipeline>',
  describe: 'Show how a pipeline would run over calls: narrowed, its plan and its SQL',
  builder: yargs =>
    yargs
      .positional('pipeline', {
        type: 'string',
        demandOption: true,
        description: 'File that holds the pipeline, JSON; - reads standard input',
      })
      .options({
        project: textOption('Project that is asked, which must be there'),
        agent: {
          type: 'string',
          array: true,
          requiresArg: true,
          description: 'As a key for this agent only; again for more',
        },
      })
      .example('$0 pipeline explain by-agent.json', ''),
  handler: async args => {
    const { project, agent: agents } = args
    const parsed = parsePipeline(await readJson(showDash([args.pipeline])[0] ?? ''), { shape: callSchema })
    if (project !== undefined) {
      await withClient(globalFlags(args), client => client.run(getProject, { project_id: project }))
    }
    const scoped = narrow(parsed, scope(project ?? '<project>', agents ?? 'all'))
    const { query, engineStages } = compile(scoped, callSource)
    const explanation = {
      pipeline: explainNarrowed(scoped),
      plan: { engine_stages: engineStages, evaluated_stages: parsed.stages.length - engineStages },
      first_evaluated: parsed.stages[engineStages]?.name,
      warnings: parsed.warnings,
      sql: query.sql,
      parameters: query.params.map(param => (typeof param === 'bigint' ? Number(param) : param)),
    }
    await print(args.json, explanation, () => explanationLines(explanation))
  },
})
