import { decodeJwt } from 'jose'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { loadConfig } from '../config.js'
import {
  type Claims,
  loadSsoMapping,
  mapAdministrator,
  type MappedAdministrator,
  type MappedPerson,
  mapClaims,
  type SsoMapping,
} from '../oauth/sso-mapping.js'
import { commandGroup } from './command-group.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { textLines } from './key-lines.js'
import { showDash } from './import/standard-input.js'
import { readJson } from './pipeline/read-input.js'
import { print } from './print.js'
import { textOption } from './text-option.js'
import { UsageError } from './usage-error.js'

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/** `earshot sso try`: what the mapping gives, with nobody signed in and nothing changed. */
const tryCommand = defineCommand({
  command: 'try <claims>',
  describe: 'Say what somebody with these claims would hear, by the mapping of the single sign-on',
  builder: yargs =>
    yargs
      .positional('claims', {
        type: 'string',
        demandOption: true,
        description:
          'An ID token, which is read and not verified, or a file of its claims, JSON; - reads standard input',
      })
      .options({ mapping: textOption('File of the mapping; EARSHOT_SSO_MAPPING by default') })
      .example('$0 sso try claims.json --mapping sso.yaml', ''),
  handler: async args => {
    const file = args.mapping ?? loadConfig(globalFlags(args)).config.ssoMapping
    if (file === undefined) throw new UsageError('Name the mapping: --mapping, or EARSHOT_SSO_MAPPING')
    const mapping = loadSsoMapping(file)
    const claims = await claimsIn(args.claims)
    const administrator = mapAdministrator(mapping, claims)
    const person = personOf(mapping, claims, administrator !== undefined)
    await print(
      args.json,
      { ...person, ...(administrator && { administrator }) },
      () => `${administrator ? administratorLine(administrator) : ''}${person ? mappedLines(person) : ''}`,
    )
  },
})

/** `earshot sso …` */
export const ssoCommand = commandGroup({
  name: 'sso',
  describe: 'Single sign-on: what the company’s identity provider gives people',
  commands: yargs => yargs.command(tryCommand),
  example: 'try claims.json',
})

async function claimsIn(given: string): Promise<Claims> {
  if (JWT.test(given)) {
    let claims: Claims
    try {
      claims = decodeJwt(given)
    } catch {
      throw new Problem('invalid_input', 'The token is no JWT')
    }
    return claims
  }
  const read = z.record(z.string(), z.unknown()).safeParse(await readJson(showDash([given])[0] ?? ''))
  if (!read.success) throw new Problem('invalid_input', 'The claims are no JSON object')
  return read.data
}

/** What they hear as a person; of an administrator there may be no rule for that. */
function personOf(mapping: SsoMapping, claims: Claims, isAdministrator: boolean): MappedPerson | undefined {
  try {
    return mapClaims(mapping, claims)
  } catch (error) {
    if (isAdministrator && error instanceof Problem && error.code === 'forbidden') return undefined
    throw error
  }
}

function administratorLine({ role, project, rule }: MappedAdministrator): string {
  const where =
    role === 'Admin' ? `of ${project ?? ''}` : `of every project${project ? `, beginning with ${project}` : ''}`
  return `In the console   ${role} ${where} (administrators, rule ${rule})\n`
}

function mappedLines({ rules, project_id, allowed_agents, teams, full_project, roles, text }: MappedPerson): string {
  const heard = [...allowed_agents, ...teams.map(id => `whoever is in team ${id}`)].join(', ')
  return [
    `Rules            ${rules.join(', ')}`,
    `Project          ${project_id}`,
    `Agents it hears  ${full_project ? 'all' : heard}`,
    `Roles            ${roles.length === 0 ? 'none' : roles.join(', ')}`,
    ...textLines({ text }),
    '',
  ].join('\n')
}
