import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withOperations } from '../with-operations.js'

const HEAD = ['Key', 'Name', 'Token', 'Active', 'Roles', 'Agents', 'Last used']

/** `earshot keys list` */
export const keysListCommand = defineCommand({
  command: 'list',
  describe: 'List the keys of a project',
  builder: yargs =>
    yargs
      .options(projectOption)
      .option('include-revoked', { type: 'boolean', default: false, description: 'Revoked keys too' }),
  handler: async args => {
    const keys = await withOperations(globalFlags(args), operations =>
      operations.keys(args.project, args.includeRevoked),
    )
    await print(args.json, { keys }, () =>
      table(
        HEAD,
        keys.map(key => [
          key.key_id,
          key.name,
          key.key_preview,
          key.active ? 'yes' : 'no',
          key.roles.join(', '),
          key.allowed_agents.join(', '),
          key.last_used_at ?? '',
        ]),
      ),
    )
  },
})
