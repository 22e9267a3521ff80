import { z } from 'zod'
import {
  changeKey,
  endConnection,
  getKey,
  inviteAgain,
  invitePerson,
  listConnections,
  listKeys,
  mintKey,
  revokeKey,
  rotateKey,
  showConnectionAsSeen,
  showKeyAsSeen,
} from '../operations/keys.js'
import { changedLines, invitedLines, keyLines, mintedLines, seenLines } from './key-lines.js'
import { commandGroup } from './command-group.js'
import { operationCommand } from './operation-command.js'
import { table } from './print.js'

const words = { key_id: 'Id of the key (key_id)' }

const spelled = {
  is_supervisor: 'supervisor',
  roles: 'role',
  allowed_agents: 'agent',
  teams: 'team',
  allowed_networks: 'network',
  tools: 'tool',
}

const mint = operationCommand({
  command: 'mint',
  describe: 'Mint a key and show its token, once',
  operation: mintKey,
  spelled,
  examples: [
    ['keys mint --project demo --name Dashboard', 'hears every call of the project'],
    [
      'keys mint --project demo --name "Team 2" --role Supervisor --no-supervisor --agent "Sam Lee" --require-mapping',
      '',
    ],
    ['keys mint --project demo --name "Team 2" --team team-2', 'hears whoever is in the team'],
  ],
  text: mintedLines,
})

const HEAD = ['Key', 'Name', 'Token', 'Active', 'Roles', 'Agents', 'Last used']

const list = operationCommand({
  command: 'list',
  describe: 'List the keys of a project',
  operation: listKeys,
  examples: [
    ['keys list --project shop --include-revoked', ''],
    ['keys list --project shop --unused 90d', 'keys that nobody needs, perhaps'],
  ],
  text: ({ keys }) =>
    table(
      HEAD,
      keys.map(key => [
        key.key_id,
        key.name,
        key.key_preview ?? `person ${key.subject ?? ''}`,
        key.active ? 'yes' : 'no',
        key.roles.join(', '),
        [...key.allowed_agents, ...(key.teams ?? []).map(id => `team ${id}`)].join(', '),
        key.last_used_at ?? '',
      ]),
    ),
})

const show = operationCommand({
  command: 'show <key_id>',
  describe: 'Show a key, without its token',
  operation: getKey,
  words,
  line: z.strictObject({
    as_seen: z.boolean().default(false).meta({ description: 'Show what the key may see' }),
    connection: z.string().optional().meta({ description: 'Show what an AI client that signed in with it may see' }),
  }),
  run: (ask, { key_id }, { as_seen: asSeen, connection }) =>
    connection === undefined
      ? ask(asSeen ? showKeyAsSeen : getKey, { key_id })
      : ask(showConnectionAsSeen, { key_id, connection_id: connection }),
  examples: [
    ['keys show key_7f3a --as-seen --project shop', 'what that key may see'],
    ['keys show key_7f3a --connection con_91c0 --project shop', 'what that client of it may see'],
  ],
  text: answer => ('key' in answer ? seenLines(answer) : keyLines(answer)),
})

const set = operationCommand({
  command: 'set <key_id>',
  describe: 'Change what a key hears and may, or take a bound of it away',
  operation: changeKey,
  words,
  spelled,
  without: ['active'],
  examples: [
    ['keys set key_7f3a --agent "Sam Lee" --agent "Ana Silva" --project shop', 'these and nobody else'],
    ['keys set key_7f3a --unset expires-at --unset network --project shop', 'for good, and from anywhere'],
  ],
  text: changedLines,
})

const revoke = operationCommand({
  command: 'revoke <key_id>',
  describe: 'Revoke a key for good',
  operation: revokeKey,
  words,
  examples: [['keys revoke key_7f3a --project shop', '']],
  text: changedLines,
})

const rotate = operationCommand({
  command: 'rotate <key_id>',
  describe: 'Mint a key with the same rights, and revoke the old one',
  operation: rotateKey,
  words,
  examples: [['keys rotate key_7f3a --project shop', '']],
  text: mintedLines,
})

const again = operationCommand({
  command: 'invite <key_id>',
  describe: 'Invite a person again, for another AI client of theirs',
  operation: inviteAgain,
  words,
  examples: [['keys invite key_7f3a --project shop', '']],
  text: invitedLines,
})

/** `earshot invite …` */
export const inviteCommand = operationCommand({
  command: 'invite <subject>',
  describe: 'Invite a person: a link that lets one AI client of theirs in, without a key',
  operation: invitePerson,
  spelled,
  examples: [
    ['invite lead@example.com --team north --project shop', 'hears whoever is in the team'],
    ['invite cx@example.com --no-require-mapping --project shop', 'hears the whole project'],
  ],
  text: invitedLines,
})

const connections = operationCommand({
  command: 'connections <key_id>',
  describe: 'List the AI clients that signed in with a key',
  operation: listConnections,
  words,
  examples: [['keys connections key_7f3a --project shop', '']],
  text: ({ connections: all }) =>
    table(
      ['Connection', 'Program', 'Answers go to', 'Hears', 'Since', 'Last used', 'Until'],
      all.map(one => [
        one.connection_id,
        one.client_name,
        one.redirect_host,
        heardBy(one),
        one.created_at,
        one.last_used_at,
        one.expires_at,
      ]),
    ),
})

/** What a client hears of what its key hears. */
function heardBy({ agents, text }: { readonly agents?: readonly string[]; readonly text?: 'none' | 'masked' }): string {
  const left = [...(agents ?? []), ...(text === undefined ? [] : [text === 'none' ? 'no text' : 'masked text'])]
  return left.length === 0 ? 'as the key' : left.join(', ')
}

const disconnect = operationCommand({
  command: 'disconnect <key_id> <connection_id>',
  describe: 'End the connection of an AI client, at once',
  operation: endConnection,
  words: { ...words, connection_id: 'Id of the connection (connection_id)' },
  examples: [['keys disconnect key_7f3a con_91c0 --project shop', '']],
  text: ({ connection_id: id, client_name: name }) => `Ended ${id}${name === '' ? '' : ` of ${name}`}\n`,
})

/** `earshot keys …` */
export const keysCommand = commandGroup({
  name: 'keys',
  describe: 'Application keys: what AI clients authenticate with',
  commands: yargs =>
    yargs
      .command(mint)
      .command(list)
      .command(show)
      .command(set)
      .command(revoke)
      .command(rotate)
      .command(again)
      .command(connections)
      .command(disconnect),
  example: 'list --project shop',
})
