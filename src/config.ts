import { homedir } from 'node:os'
import type { z } from 'zod'
import { closest } from './base/closest.js'
import { isLoopback } from './config/read.js'
import type { Setting } from './config/setting.js'
import { settings } from './config/settings.js'

/** The key with which commands ask a service elsewhere: none of this one's settings, and never shown among them. */
const CLIENT_KEY = 'EARSHOT_KEY'

/** The whole configuration: checked, complete and frozen. */
export interface Config extends SettingValues {
  readonly mcpHost: string
}

/** Everything that is wrong with a configuration, one line per problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Settings given as command-line flags, by the names of `settings`, as text. They win over the environment. */
export type Flags = { readonly [K in keyof typeof settings]?: string | undefined }

export interface LoadedConfig {
  readonly config: Config
  /** One for each EARSHOT_ variable that means nothing. */
  readonly warnings: readonly string[]
}

/**
 * Reads the configuration from flags and environment. An empty variable counts as unset.
 *
 * @throws ConfigError with all problems at once
 */
export function loadConfig(flags: Flags = {}, environment: NodeJS.ProcessEnv = process.env): LoadedConfig {
  return load(flags, environment, config => [...contradictionsOf(config), ...listenerContradictionsOf(config)])
}

/**
 * As `loadConfig`, for a command that opens no listener: what only a listener needs is not asked of it. In a container
 * HOST is set for every command.
 *
 * @throws ConfigError with all problems at once
 */
export function loadCommandConfig(flags: Flags, environment: NodeJS.ProcessEnv = process.env): LoadedConfig {
  return load(flags, environment, contradictionsOf)
}

/** The folder of whoever runs a command. */
export function homeDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return environment['HOME'] ?? homedir()
}

/** Where the environment says that the operator's own store is; empty where it does not. */
export function operatorsDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  return environment['EARSHOT_DATA_DIR']?.trim() ?? ''
}

/** The key with which a command asks a service elsewhere; empty when there is none. */
export function clientKey(environment: NodeJS.ProcessEnv = process.env): string {
  return environment[CLIENT_KEY]?.trim() ?? ''
}

/** What the environment says of the terminal: COLUMNS, and NO_COLOR (https://no-color.org) or a TERM that knows no colours. */
export function terminalSettings(environment: NodeJS.ProcessEnv = process.env): {
  readonly columns: number
  readonly colour: boolean
} {
  const { COLUMNS: columns = '', NO_COLOR: noColour = '', TERM: term } = environment
  return {
    columns: /^\d{1,5}$/.test(columns) ? Number(columns) : 0,
    colour: noColour === '' && term !== 'dumb',
  }
}

function load(
  flags: Flags,
  environment: NodeJS.ProcessEnv,
  contradictionsIn: (config: Config) => readonly string[],
): LoadedConfig {
  const problems: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries<Setting<unknown>>(settings)) {
    const flag = flags[name as keyof Flags]
    const [source, text] =
      flag === undefined ? [setting.variable, environment[setting.variable]] : [`--${setting.flag}`, flag]
    const written = text === undefined || text === '' ? setting.default : text
    if (written === undefined) continue
    const reading = setting.read.safeParse(written)
    if (reading.success) values[name] = reading.data
    else problems.push(...reading.error.issues.map(issue => `${source} ${issue.message}`))
  }
  if (problems.length > 0) throw new ConfigError(problems)

  const read = values as SettingValues
  const config: Config = Object.freeze({ ...read, mcpHost: read.mcpHost ?? read.host })
  const contradictions = contradictionsIn(config)
  if (contradictions.length > 0) throw new ConfigError(contradictions)
  return { config, warnings: warningsOf(environment) }
}

function contradictionsOf(config: Config): readonly string[] {
  const problems: string[] = []
  if (config.embeddingsUrl !== undefined && config.embeddingsModel === undefined) {
    problems.push('EARSHOT_EMBEDDINGS_URL needs EARSHOT_EMBEDDINGS_MODEL: the model to ask the endpoint for')
  }
  problems.push(...secretContradictions(config), ...modelContradictions(config))
  problems.push(...httpContradiction({ url: config.s3Url, isHttpAllowed: config.s3AllowHttp, prefix: 'EARSHOT_S3' }))
  if (config.s3Bucket !== undefined && (config.s3AccessKeyId === undefined || config.s3SecretAccessKey === undefined)) {
    problems.push('EARSHOT_S3_BUCKET needs EARSHOT_S3_ACCESS_KEY_ID and EARSHOT_S3_SECRET_ACCESS_KEY')
  }
  if (config.ssoIssuer !== undefined) {
    if (config.ssoClientId === undefined) problems.push('EARSHOT_SSO_CLIENT_ID is required with EARSHOT_SSO_ISSUER')
    if (config.ssoMapping === undefined) problems.push('EARSHOT_SSO_MAPPING is required with EARSHOT_SSO_ISSUER')
    if (!config.oauth) problems.push('EARSHOT_SSO_ISSUER and EARSHOT_OAUTH=0 exclude each other')
  }
  if (config.adminJwksUrl !== undefined) {
    if (config.adminJwtSecret !== undefined) {
      problems.push('EARSHOT_ADMIN_JWT_SECRET and EARSHOT_ADMIN_JWKS_URL exclude each other: set one')
    }
    if (config.adminJwtIssuer === undefined) problems.push('EARSHOT_ADMIN_JWT_ISSUER is required with a key set')
    if (config.adminJwtAudience === undefined) problems.push('EARSHOT_ADMIN_JWT_AUDIENCE is required with a key set')
  }
  return problems
}

function secretContradictions({ storeUrl, secret, secretFile, secretsDir }: Config): readonly string[] {
  if (secret !== undefined && secretFile !== undefined) {
    return ['EARSHOT_SECRET and EARSHOT_SECRET_FILE exclude each other: set one']
  }
  if (storeUrl === 'duckdb:') {
    const set = Object.entries({
      EARSHOT_SECRET: secret,
      EARSHOT_SECRET_FILE: secretFile,
      EARSHOT_SECRETS_DIR: secretsDir,
    })
    return set.flatMap(([name, value]) =>
      value === undefined
        ? []
        : [`${name} is for a store elsewhere; that of a data directory has its own secrets beside it`],
    )
  }
  if (secret ?? secretFile ?? secretsDir) return []
  return [
    'EARSHOT_STORE_URL names a server, whose processes have their secrets from outside: set EARSHOT_SECRET or EARSHOT_SECRET_FILE to at least 32 random bytes, the same for each, such as "openssl rand -base64 32" gives',
  ]
}

function listenerContradictionsOf(config: Config): readonly string[] {
  const problems: string[] = []
  if ((config.tlsCert === undefined) !== (config.tlsKey === undefined)) {
    problems.push('EARSHOT_TLS_CERT and EARSHOT_TLS_KEY go together: set both, or neither')
  }
  const open = [
    ['HOST', config.host],
    ['MCP_HOST', config.mcpEnabled ? config.mcpHost : '127.0.0.1'],
  ] as const
  const exposed = open.find(([, host]) => !isLoopback(host))
  if (exposed !== undefined && config.allowedHosts === undefined) {
    const [variable, host] = exposed
    problems.push(
      `${variable} is ${host}, which others can reach: name the hosts to answer in EARSHOT_ALLOWED_HOSTS (for example calls.example.com)`,
    )
  }
  if (config.mcpEnabled && config.port !== 0 && config.port === config.mcpPort && config.host === config.mcpHost) {
    problems.push(`PORT and MCP_PORT are both ${config.port}: the two listeners need a port each`)
  }
  return problems
}

function httpContradiction({
  url,
  isHttpAllowed,
  prefix,
}: Pick<EndpointSettings, 'url' | 'isHttpAllowed' | 'prefix'>): readonly string[] {
  if (url === undefined || isHttpAllowed) return []
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || isLoopback(hostname)) return []
  return [
    `${prefix}_URL is an http:// address of another machine: use https://, or allow it with ${prefix}_ALLOW_HTTP=1`,
  ]
}

interface EndpointSettings {
  readonly url: string | undefined
  readonly isHttpAllowed: boolean
  readonly model: string | undefined
  readonly prefix: string
  readonly modelSetting: string
}

function endpointContradictions(given: EndpointSettings): readonly string[] {
  const { url, model, prefix, modelSetting } = given
  if (url === undefined) return []
  const problems = [...httpContradiction(given)]
  if (model === undefined) problems.push(`${prefix}_URL needs ${modelSetting}: the model to ask the endpoint for`)
  return problems
}

function modelContradictions(config: Config): readonly string[] {
  const { modelUrl: url, modelName, modelPriceInput: input, modelPriceOutput: output } = config
  const problems: string[] = []
  problems.push(
    ...endpointContradictions({
      url,
      isHttpAllowed: config.modelAllowHttp,
      model: modelName,
      prefix: 'EARSHOT_MODEL',
      modelSetting: 'EARSHOT_MODEL_NAME',
    }),
    ...endpointContradictions({
      url: config.transcriptionUrl,
      isHttpAllowed: config.transcriptionAllowHttp,
      model: config.transcriptionModel,
      prefix: 'EARSHOT_TRANSCRIPTION',
      modelSetting: 'EARSHOT_TRANSCRIPTION_MODEL',
    }),
  )
  if ((input === undefined) !== (output === undefined)) {
    problems.push('EARSHOT_MODEL_PRICE_INPUT and EARSHOT_MODEL_PRICE_OUTPUT need each other')
  }
  if (config.modelMaxCost !== undefined && (input === undefined || output === undefined)) {
    problems.push('EARSHOT_MODEL_MAX_COST needs EARSHOT_MODEL_PRICE_INPUT and EARSHOT_MODEL_PRICE_OUTPUT')
  }
  return problems
}

function warningsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  const known = Object.values<Setting<unknown>>(settings).map(setting => setting.variable)
  const isKnown = (name: string) => known.includes(name) || name === CLIENT_KEY
  const unknown = Object.keys(environment).filter(name => name.startsWith('EARSHOT_') && !isKnown(name))
  // What all of them begin with would make any two look alike.
  const byRest = new Map(known.map(name => [name.replace(/^EARSHOT_/, ''), name]))
  return unknown.map(name => {
    const meant = byRest.get(closest(name.replace(/^EARSHOT_/, ''), byRest.keys()) ?? '')
    return `${name} is no setting of Earshot${meant === undefined ? '' : `; did you mean ${meant}?`}`
  })
}

type Settings = typeof settings
type ValueOf<S> = S extends { readonly read: z.ZodType<infer T, string> } ? T : never

/** What each setting holds; one without a default may be absent. */
type SettingValues = {
  readonly [K in keyof Settings]: Settings[K]['default'] extends string
    ? ValueOf<Settings[K]>
    : ValueOf<Settings[K]> | undefined
}
