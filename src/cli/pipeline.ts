import { commandGroup } from './command-group.js'
import { pipelineExplainCommand } from './pipeline/pipeline-explain.js'
import { pipelineRunCommand } from './pipeline/pipeline-run.js'

/** `earshot pipeline …` */
export const pipelineCommand = commandGroup({
  name: 'pipeline',
  describe: 'Aggregation pipelines: run one over a file of documents, or see how it would run over calls',
  commands: yargs => yargs.command(pipelineRunCommand).command(pipelineExplainCommand),
  example: 'explain by-agent.json',
})
