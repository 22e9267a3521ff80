import { listKeys } from '../../operations/keys.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print, table } from '../print.js'
import { projectOption } from '../project-option.js'
import { withClient } from '../with-client.js'

const HEAD = ['Key', 'Name', 'Token', 'Active', 'Roles', 'Agents', 'Last used']

/** `earshot keys list` */
export const keysListCommand = defineCommand({
  command: 'list',
  describe: 'List the keys of a project',
  builder: yargs =>
    yargs
      .options(projectOption)
      .option('include-revoked', { type: 'boolean', default: false, description: 'Revoked keys too' })
      .example('$0 keys list --project shop --include-revoked', ''),
  handler: async args => {
    const keys = await withClient(globalFlags(args), client =>
      client
        .run(listKeys, { project_id: args.project, query: { include_revoked: args.includeRevoked } })
        .then(answer => answer.keys),
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
