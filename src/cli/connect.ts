import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isLoopbackHost } from '../access/guard-request.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { type Config, loadConfig } from '../config.js'
import { type ClientConnection, type ClientFile, type ConnectingClient, connectingClients } from './connect/clients.js'
import { replaceFile, textOf } from './connect/replace-file.js'
import { entryOf, withEntry, withoutEntry } from './connect/settings-text.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { textOption } from './text-option.js'
import { UsageError } from './usage-error.js'

const EXAMPLE_URL = 'http://127.0.0.1:8001/mcp'

/** Safe as a name in JSON, TOML, an address and a shell. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/

/** What `connect` writes for any client: an entry that says more is somebody's own. */
const writtenEntry = z.strictObject({
  type: z.literal('http').optional(),
  url: z.string(),
  headers: z
    .strictObject({ Authorization: z.string().regex(/^Bearer \$\{(env:)?[A-Za-z_][A-Za-z0-9_]*\}$/) })
    .optional(),
})

interface Outcome {
  readonly changed: boolean
  readonly file?: string | undefined
  /** Where the old file is. */
  readonly kept?: string | undefined
  readonly entry?: object | undefined
  readonly link?: string | undefined
  readonly steps: readonly string[]
}

/** `earshot connect`: needs neither store nor service. */
export const connectCommand = defineCommand({
  command: 'connect <client>',
  describe: 'Write or print what an AI client takes to connect',
  builder: yargs =>
    yargs
      .positional('client', {
        choices: Object.keys(connectingClients) as readonly (keyof typeof connectingClients)[],
        demandOption: true,
        describe: 'The client',
      })
      .options({
        url: textOption(
          `Address of the service’s /mcp; by default what the settings here say, ${EXAMPLE_URL} where they say nothing`,
        ),
        name: { ...textOption('What the client calls it'), default: 'earshot' },
        'key-env': textOption('Environment variable that holds an application key, in place of signing in'),
        print: { type: 'boolean', default: false, description: 'Write nothing: print what would be written' },
        undo: { type: 'boolean', default: false, description: 'Take the entry out again, and nothing else' },
      })
      .example('$0 connect claude-code', 'signs in by the browser')
      .example('$0 connect cursor --url https://calls.example.com/mcp', '')
      .example('$0 connect codex --key-env EARSHOT_KEY', 'a key from the environment'),
  handler: async args => {
    const client: ConnectingClient = connectingClients[args.client]
    const url = urlOf(args.url ?? addressHere(loadConfig(globalFlags(args)).config))
    const connection = { name: nameOf(args.name), url, keyEnv: variableOf(args.keyEnv) }
    if (client.runs === 'cloud' && connection.keyEnv !== undefined) {
      throw new UsageError(`${client.title} takes no keys, only a sign-in: leave --key-env out`)
    }
    const outcome = args.undo
      ? await undone(client, connection, args.url !== undefined, args.print)
      : await connected(client, connection, args.print)
    await print(args.json, { client: args.client, name: connection.name, url: connection.url, ...outcome }, () =>
      linesOf(client.title, outcome, args.undo),
    )
  },
})

async function connected(client: ConnectingClient, connection: ClientConnection, printOnly: boolean): Promise<Outcome> {
  const file = client.file(connection)
  const steps = [...client.steps(connection), ...warnings(client, connection)]
  if (file === undefined) return { changed: false, steps }
  const { path, entry } = file
  const link = client.link?.(connection)
  const place = { section: file.section, name: connection.name }
  if (printOnly) return { changed: false, file: path, entry: shown(file, place.name, entry), link, steps }
  const old = await textOf(path)
  const found = entryOf(old ?? '', place, path)
  if (isDeepStrictEqual(found, entry)) return { changed: false, file: path, link, steps }
  if (found !== undefined) {
    throw new Problem(
      'conflict',
      `${path} has another entry ${echo(place.name)}: take another --name, or take that one out first (--undo)`,
    )
  }
  const kept = await replaceFile(path, old, withEntry(old ?? '', place, entry, path))
  return { changed: true, file: path, kept, link, steps }
}

async function undone(
  client: ConnectingClient,
  connection: ClientConnection,
  isUrlSaid: boolean,
  printOnly: boolean,
): Promise<Outcome> {
  const { name, url } = connection
  // The entry is the same file's, whatever it holds.
  const file = client.file({ ...connection, keyEnv: undefined })
  const steps = client.undo(name)
  if (file === undefined) return { changed: false, steps }
  const { path, section } = file
  const old = await textOf(path)
  const found = entryOf(old ?? '', { section, name }, path)
  if (old === undefined || found === undefined) return { changed: false, file: path, steps }
  const ours = writtenEntry.safeParse(found)
  if (!ours.success || (isUrlSaid && ours.data.url !== url)) {
    throw new Problem('conflict', `The entry ${echo(name)} of ${path} is not what this command writes; it was left`)
  }
  if (printOnly) return { changed: false, file: path, entry: shown(file, name, ours.data), steps }
  const kept = await replaceFile(path, old, withoutEntry(old, { section, name }, path))
  return { changed: true, file: path, kept, steps }
}

const shown = ({ section }: ClientFile, name: string, entry: object): object => ({ [section]: { [name]: entry } })

function warnings({ runs, title }: ConnectingClient, { url, keyEnv }: ClientConnection): readonly string[] {
  const { protocol, host } = new URL(url)
  const isHere = isLoopbackHost(host)
  if (runs === 'cloud') {
    return isHere || protocol !== 'https:'
      ? [
          `This will not work with ${url}: ${title} calls from its maker’s cloud and reaches only public https addresses (EARSHOT_PUBLIC_URL).`,
        ]
      : ['It calls from its maker’s cloud: the address has to be reachable from the internet.']
  }
  if (isHere || protocol === 'https:') return []
  return [
    keyEnv === undefined
      ? 'Signing in works only under https or on this machine: give the https address (EARSHOT_PUBLIC_URL).'
      : 'Over http everybody on the way can read the key: give an https address.',
  ]
}

function linesOf(title: string, { changed, file, kept, entry, link, steps }: Outcome, isUndo: boolean): string {
  const did = isUndo ? ['Nothing to take out of', 'Taken out of'] : ['There already, in', 'Written to']
  const lines = [
    file === undefined ? `${title}:` : entry === undefined ? `${did[Number(changed)]} ${file}` : `In ${file}:`,
    ...(entry === undefined ? [] : [JSON.stringify(entry, null, 2)]),
    ...(kept === undefined ? [] : [`The old file is kept as ${kept}`]),
    ...steps,
    ...(link === undefined ? [] : [`Or open this link instead: ${link}`]),
  ]
  return `${lines.join('\n')}\n`
}

/** Where clients reach the service of these settings: by its public address, else on this machine. */
function addressHere({ publicUrl, tlsCert, mcpPort }: Config): string {
  if (publicUrl !== undefined) return `${publicUrl}/mcp`
  // Certificates seldom name an address.
  return tlsCert === undefined ? `http://127.0.0.1:${mcpPort}/mcp` : `https://localhost:${mcpPort}/mcp`
}

function nameOf(name: string | undefined): string {
  if (name !== undefined && NAME.test(name)) return name
  throw new UsageError('--name takes letters, digits, - and _, at most 64, and begins with a letter or digit')
}

function variableOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  if (!name.startsWith('esk_') && VARIABLE.test(name)) return name
  // Not echoed: it may be a key.
  throw new UsageError('--key-env takes the name of an environment variable, such as EARSHOT_KEY, never the key itself')
}

function urlOf(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UsageError(`--url takes an address with http or https, such as ${EXAMPLE_URL}`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('--url takes an address alone, without a user, a password, ? or #')
  }
  if (url.pathname === '/') url.pathname = '/mcp'
  // Quotes and dollars mean something in shells and in the files of clients.
  if (!/^[\w.~:/[\]%-]+\/mcp$/.test(url.href)) {
    throw new UsageError('--url is an address that ends in /mcp, of letters, digits and - . _ ~ %')
  }
  return url.href
}
