import { mintKey } from '../../operations/keys.js'
import { newKey } from '../../access/key-fields.js'
import { parseOptions } from '../parse-options.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { textOption } from '../text-option.js'
import { withClient } from '../with-client.js'
import { mintedLines } from './minted-lines.js'

const options = {
  name: { ...textOption('Label of the key, 1 to 120 characters'), demandOption: true },
  role: {
    type: 'array',
    string: true,
    requiresArg: true,
    description: 'Admin (the default), SuperAdmin, Supervisor or none; repeatable',
  },
  agent: { type: 'array', string: true, requiresArg: true, description: 'Agent the key may hear; repeatable' },
  supervisor: { type: 'boolean', description: 'The flag is_supervisor (default: true)' },
  'require-mapping': { type: 'boolean', description: 'Hear nothing while no agent is named' },
} as const

/** `earshot keys mint` */
export const keysMintCommand = defineCommand({
  command: 'mint',
  describe: 'Mint a key and show its token, once',
  builder: yargs =>
    yargs
      .options({ ...projectOption, ...options })
      .example('$0 keys mint --project demo --name Dashboard', 'hears every call of the project')
      .example(
        '$0 keys mint --project demo --name "Team 2" --role Supervisor --no-supervisor --agent "Sam Lee" --require-mapping',
        '',
      ),
  handler: async args => {
    const body = {
      name: args.name,
      is_supervisor: args.supervisor,
      roles: args.role?.join() === 'none' ? [] : args.role,
      allowed_agents: args.agent,
      require_mapping: args.requireMapping,
    }
    const fields = parseOptions(newKey, body)
    const minted = await withClient(globalFlags(args), client =>
      client.run(mintKey, { project_id: args.project, body: fields }),
    )
    await print(args.json, minted, () => mintedLines(minted))
  },
})
