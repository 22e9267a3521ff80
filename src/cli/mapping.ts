import { listMappings, removeMapping, setMapping } from '../operations/mappings.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const words = { mapping_id: 'Its name' }

const set = operationCommand({
  command: 'set <mapping_id>',
  describe: 'Save how files of one source are read, for "import --mapping" and inbound webhooks',
  operation: setMapping,
  words,
  examples: [['mapping set dialer --map agent_name=meta.agent --map session_id=id --project demo', '']],
  text: ({ mapping_id: name, map }) => `${name} is saved: ${map.join(', ')}\n`,
})

const list = operationCommand({
  command: 'list',
  describe: 'List the saved mappings of a project',
  operation: listMappings,
  examples: [['mapping list --project demo', '']],
  text: ({ mappings }) =>
    table(
      ['Name', 'Map', 'Agent', 'Zone', 'Format'],
      mappings.map(one => [
        one.mapping_id,
        one.map.join(', '),
        one.agent_speaker.join(', '),
        one.time_zone ?? '',
        one.format ?? '',
      ]),
    ),
})

const remove = operationCommand({
  command: 'remove <mapping_id>',
  describe: 'Remove a saved mapping',
  operation: removeMapping,
  words,
  run: async (ask, fields) => {
    await ask(removeMapping, fields)
    return { ...fields, removed: true }
  },
  examples: [['mapping remove dialer --project demo', '']],
  text: (_, __, said) => `${String(said['mapping_id'])} is removed\n`,
})

/** `earshot mapping …` */
export const mappingCommand = commandGroup({
  name: 'mapping',
  describe: 'Saved mappings: how files of one source are read',
  commands: yargs => yargs.command(set).command(list).command(remove),
  example: 'list --project demo',
})
