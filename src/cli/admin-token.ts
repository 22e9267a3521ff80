import { mintAdminToken } from '../access/mint-admin-token.js'
import { Problem } from '../base/problem.js'
import { refuseNoDirectory } from '../store/duckdb/files/no-store.js'
import { loadCommandConfig } from '../config.js'
import { adminSecret } from '../service/admin-secret.js'
import { isEmbedded } from '../service/elsewhere.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { textOption } from './text-option.js'
import { UsageError } from './usage-error.js'

const HOUR_S = 3600

/** `earshot admin-token`: works while a server runs, since it needs the secret alone. */
export const adminTokenCommand = defineCommand({
  command: 'admin-token',
  describe: 'Mint an admin token for the API (1 h)',
  builder: yargs =>
    yargs
      .options({
        role: { choices: ['Admin', 'SuperAdmin'] as const, default: 'SuperAdmin' as const, description: 'Role' },
        project: textOption('Project it acts on; required for Admin'),
        subject: { ...textOption('Who it is for'), default: 'operator' },
        email: textOption('E-mail address the audit trail shows'),
      })
      .example('$0 admin-token --role Admin --project shop', ''),
  handler: async args => {
    const { role, project, email } = args
    if (role === 'Admin' && project === undefined) throw new UsageError('An Admin acts on one project: give --project')
    const { config } = loadCommandConfig(globalFlags(args))
    if (config.adminJwksUrl !== undefined) {
      throw new Problem('not_configured', 'Admin tokens are signed by the identity provider of EARSHOT_ADMIN_JWKS_URL')
    }
    // A secret made where no server reads it would sign tokens that nobody takes.
    if (config.adminJwtSecret === undefined && isEmbedded(config)) refuseNoDirectory(config.dataDir)
    const token = await mintAdminToken(await adminSecret(config), {
      subject: args.subject ?? 'operator',
      role,
      lifetimeS: HOUR_S,
      ...(email === undefined ? {} : { email }),
      ...(project === undefined ? {} : { projectId: project }),
    })
    await print(args.json, { admin_token: token, expires_in: HOUR_S }, () => `${token}\n`)
  },
})
