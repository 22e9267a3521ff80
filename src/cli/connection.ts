import { isLoopback } from '../config/read.js'
import { echo } from '../base/text.js'
import { clientKey } from '../config.js'
import { Problem } from '../base/problem.js'
import { HttpClient } from '../control/http-client.js'
import type { AnswerOf, Client, InputOf } from '../control/client.js'
import { namesProject, type Operation, variablesOf } from '../operations/operation.js'
import { listProjects } from '../operations/projects.js'
import { type GlobalArguments, globalFlags } from './global-options.js'
import { textOption } from './text-option.js'
import { UsageError } from './usage-error.js'
import { withClient } from './with-client.js'

/** Longest wait for a service's answer that an option may ask for. Seconds. */
const MOST_TIMEOUT_S = 3_600

/** Names under which somebody may try to give a key. */
const keyNames = ['key', 'api-key', 'application-key', 'token'] as const

/** Where a question is asked. */
export const connectionOptions = {
  project: textOption('Id of the project; may be left out where there is only one'),
  url: textOption('Ask a service elsewhere, at the address of its API, with the key in EARSHOT_KEY'),
  timeout: {
    type: 'number',
    requiresArg: true,
    default: 60,
    description: 'With --url: seconds to wait for an answer',
  },
  ...(Object.fromEntries(keyNames.map(name => [name, { type: 'string', hidden: true }])) as Record<
    (typeof keyNames)[number],
    { readonly type: 'string'; readonly hidden: true }
  >),
} as const

export interface ConnectionArguments extends GlobalArguments {
  readonly project?: string | undefined
  readonly url?: string | undefined
  readonly timeout: number
}

/** Asks something of one project; arguments are by the names of the operation's own schema. */
export type Ask = <O extends Operation>(operation: O, args: Readonly<Record<string, unknown>>) => Promise<AnswerOf<O>>

/**
 * Runs a command's work on what is kept here, by the running service or on the store itself, or with --url on a service
 * elsewhere; the command can't tell.
 */
export async function withAsk<T>(args: ConnectionArguments, work: (ask: Ask) => Promise<T>): Promise<T> {
  refuseKeys(args)
  if (args.url !== undefined) return await work(askBy(elsewhere(args, args.url), args.project))
  return await withClient(globalFlags(args), async client =>
    work(askBy(client, args.project ?? (await onlyProject(client)))),
  )
}

/** A key in a command line is read by everyone on the machine, and kept in the history of the shell. */
function refuseKeys(args: ConnectionArguments): void {
  const given = keyNames.find(name => (args as unknown as Record<string, unknown>)[name] !== undefined)
  if (given === undefined) return
  throw new UsageError(
    `--${given}: a key in a command line can be read by everyone on this machine and stays in the shell's history. Put it in the environment variable EARSHOT_KEY, and revoke this one if it is real`,
  )
}

function elsewhere({ timeout }: ConnectionArguments, text: string): HttpClient {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && (url.username !== '' || url.password !== '')) {
    throw new UsageError('--url holds a name or password; the key belongs in EARSHOT_KEY')
  }
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new UsageError(`--url is ${echo(text)}, not an address such as https://earshot.example.com`)
  }
  if (url.search !== '' || url.hash !== '')
    throw new UsageError('--url holds more than an address: leave out what follows ? or #')
  if (!(timeout > 0 && timeout <= MOST_TIMEOUT_S)) {
    throw new UsageError(`--timeout is a number of seconds above 0, at most ${MOST_TIMEOUT_S}`)
  }
  const key = clientKey()
  if (key === '') {
    throw new UsageError('Something is missing: the key for --url, in the environment variable EARSHOT_KEY')
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw new UsageError('EARSHOT_KEY holds what no key holds, such as a space')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    process.stderr.write(`${url.origin} is not https: the key and the answers cross the network readable\n`)
  }
  return new HttpClient({ url, key, timeoutMs: timeout * 1000 })
}

/** The project that is meant where none is named. @throws Problem with those there are */
async function onlyProject(client: Client): Promise<string> {
  const { projects } = await client.run(listProjects, {})
  const [first, ...others] = projects
  if (first !== undefined && others.length === 0) return first.project_id
  const names = projects.map(({ project_id: id }) => id)
  const there = names.length === 0 ? 'there is no project yet' : `there are ${names.slice(0, 20).join(', ')}`
  throw new Problem('invalid_input', `Something is missing: --project (${there}${names.length > 20 ? ', …' : ''})`)
}

/** Runs operations for a command whose arguments are by the names of their schemas. */
export function askBy(client: Pick<Client, 'run'>, project: string | undefined): Ask {
  return (operation, given) => client.run(operation, inputOf(operation, project, given))
}

/** What an operation takes, from arguments by name: those of its path, and the others as its query or body. */
function inputOf<O extends Operation>(
  operation: O,
  project: string | undefined,
  args: Readonly<Record<string, unknown>>,
): InputOf<O> {
  const inPath = new Set(variablesOf(operation))
  const given = inPath.has('project_id') ? { project_id: project, ...args } : args
  const split = (there: boolean) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => inPath.has(name) === there))
  const rest = split(false)
  return {
    ...split(true),
    ...(operation.body === undefined ? { query: rest } : { body: rest }),
    ...(project === undefined || !namesProject(operation.access) ? {} : { project }),
  } as unknown as InputOf<O>
}
