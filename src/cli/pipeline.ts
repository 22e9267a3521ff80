import { defineCommand } from './define-command.js'
import { pipelineExplainCommand } from './pipeline/pipeline-explain.js'
import { pipelineRunCommand } from './pipeline/pipeline-run.js'

/** `earshot pipeline …` */
export const pipelineCommand = defineCommand({
  command: 'pipeline <command>',
  describe: 'Aggregation pipelines: run one over a file of documents, or see how it would run over calls',
  builder: yargs =>
    yargs
      .command(pipelineRunCommand)
      .command(pipelineExplainCommand)
      .demandCommand(1, 'Name a subcommand of "pipeline"')
      .example('$0 pipeline explain by-agent.json', ''),
  handler: async () => undefined,
})
